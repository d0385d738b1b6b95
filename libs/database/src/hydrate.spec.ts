import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { hydrate } from './hydrate';

class Named {
  @Column('text', { name: 'label' }) title!: string;
}

@Entity('things')
class Thing extends Named {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('boolean') isOpen2nd!: boolean;
  note = 'own';

  describe(): string {
    return `${this.id}: ${this.title}`;
  }
}

describe('hydrate', () => {
  it('makes an entity with behaviour out of a row of snake_case columns', () => {
    const thing = hydrate(Thing, { id: 7, label: 'seven', is_open2nd: true });
    expect(thing).toBeInstanceOf(Thing);
    expect(thing.describe()).toBe('7: seven');
    expect(thing.isOpen2nd).toBe(true);
  });

  it('passes over what is no column of the entity', () => {
    const thing = hydrate(Thing, { id: 7, full_path: 'a/b', note: 'x', __proto__: null });
    expect(Object.keys(thing).sort()).toEqual(['id', 'note']);
    expect(thing.note).toBe('own');
  });

  it('refuses a class that is no entity', () => {
    expect(() => hydrate(Date, {})).toThrow('Date is no entity');
  });
});
