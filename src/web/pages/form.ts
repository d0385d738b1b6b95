import { isBag, lastOf, type ParameterBag } from '#libs/http';

/** What a browser sent with a page's address and form. What is absent, or of another shape, reads as nothing. */
export class Form {
  constructor(private readonly bag: ParameterBag) {}

  /** `inside('user').text('login')` is the field `user[login]`. */
  inside(name: string): Form {
    const value = this.bag[name];
    return new Form(isBag(value) ? value : {});
  }

  text(name: string): string {
    const value = lastOf(this.bag[name]);
    return typeof value === 'string' ? value : '';
  }

  /** Of a field `name[]`. */
  texts(name: string): string[] {
    const value = this.bag[name];
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  }

  /** A checkbox. */
  isChecked(name: string): boolean {
    return this.text(name) === '1';
  }
}
