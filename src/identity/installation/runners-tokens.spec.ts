import { RunnersTokens } from './runners-tokens';

async function tokensOf(secret: string): Promise<RunnersTokens> {
  const tokens = new RunnersTokens(
    Object.assign(Object.create(null), { secret: () => Promise.resolve(secret) }),
  );
  await tokens.onModuleInit();
  return tokens;
}

describe('the token that runners register with', () => {
  it('is always the same and tells whose it is', async () => {
    const tokens = await tokensOf('a');
    for (const id of [1, 2, 4_711, Number.MAX_SAFE_INTEGER]) {
      for (const kind of ['group', 'project'] as const) {
        const token = tokens.for(kind, id);
        expect(token).toMatch(/^[\w-]{32}$/);
        expect(token).toBe((await tokensOf('a')).for(kind, id));
        expect(tokens.holderOf(token)).toEqual({ kind, id });
      }
    }
  });

  it('looks different for everybody', async () => {
    const tokens = await tokensOf('a');
    const all = [1, 2, 3].flatMap((id) => [tokens.for('group', id), tokens.for('project', id)]);
    expect(new Set(all).size).toBe(6);
  });

  it('is of no use where it was changed, is another installation’s, or is none', async () => {
    const tokens = await tokensOf('a');
    const token = tokens.for('project', 7);
    for (let place = 0; place < token.length; place++) {
      const other = token[place] === 'A' ? 'B' : 'A';
      expect(tokens.holderOf(token.slice(0, place) + other + token.slice(place + 1))).toBeNull();
    }
    expect((await tokensOf('b')).holderOf(token)).toBeNull();
    for (const text of ['', 'x', `${token}A`, 'ü'.repeat(32)]) expect(tokens.holderOf(text)).toBeNull();
  });
});
