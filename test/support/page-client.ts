/** A page as it came. */
export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Of a redirect: path and query. */
  readonly location: string | null;
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => ENTITIES[name] ?? '');

/** A browser without eyes: keeps cookies, sends forms as they stand in the page, follows nothing by itself. */
export class PageClient {
  readonly cookies = new Map<string, string>();

  constructor(private readonly base: string) {}

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.request(path, { method: 'GET', headers });
  }

  post(path: string, fields: Fields, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) {
      for (const each of typeof value === 'string' ? [value] : value) body.append(name, each);
    }
    return this.request(path, { method: 'POST', body, headers });
  }

  /** Fills in and sends the form of a page that goes to `action`, hidden fields included. */
  submit(page: Page, action: string, fields: Fields = {}): Promise<Page> {
    const form = [...page.text.matchAll(/<form\b[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].find(
      ([, target = '']) => unescaped(target) === action,
    );
    if (!form) throw new Error(`the page has no form for ${action}:\n${page.text}`);
    const hidden = [...(form[2] ?? '').matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
    return this.post(action, {
      ...Object.fromEntries(hidden.map(([, name = '', value = '']) => [unescaped(name), unescaped(value)])),
      ...fields,
    });
  }

  /** Signs in by the page; answers what came. */
  async signIn(login: string, password: string, more: Fields = {}): Promise<Page> {
    const page = await this.get('/users/sign_in');
    const fields = { 'user[login]': login, 'user[password]': password, ...more };
    return this.submit(page, '/users/sign_in', fields);
  }

  private async request(path: string, init: RequestInit): Promise<Page> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...init.headers, ...(cookie !== '' && { cookie }) };
    const answer = await fetch(`${this.base}${path}`, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) this.keep(line);
    return {
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
      location: answer.headers.get('location'),
    };
  }

  private keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name = '', value = ''] = pair.split('=');
    const expires = attributes.find((each) => each.startsWith('Expires='))?.slice('Expires='.length);
    if (expires !== undefined && new Date(expires) <= new Date()) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
