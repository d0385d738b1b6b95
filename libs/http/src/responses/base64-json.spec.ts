import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { base64Json } from './base64-json';
import type { RawAnswer } from './raw-answer';

const record = { name: 'a "b"', size: 3, content: '', digest: 'd', none: null };

function answerOf(chunks: readonly Buffer[], fields: Readonly<Record<string, unknown>> = record): RawAnswer {
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return base64Json(fields, { field: 'content', bytes: Readable.from(chunks), size }, { 'X-Other': 'kept' });
}

async function bodyOf({ body }: RawAnswer): Promise<string> {
  if (!(body instanceof Readable)) throw new Error('not a stream');
  return text(body);
}

describe('a record with bytes streamed into it', () => {
  it.each([
    ['nothing', []],
    ['one byte', [Buffer.from('a')]],
    ['two bytes apart', [Buffer.from('a'), Buffer.from('b')]],
    ['single bytes', [...'hello, world'].map((letter) => Buffer.from(letter))],
    ['uneven chunks', [Buffer.alloc(4, 1), Buffer.alloc(0), Buffer.alloc(7, 2), Buffer.alloc(65_537, 255)]],
  ])('is the JSON of the whole record: %s', async (_what, chunks) => {
    const answer = answerOf(chunks);
    const json = await bodyOf(answer);
    expect(json).toBe(JSON.stringify({ ...record, content: Buffer.concat(chunks).toString('base64') }));
    expect(answer.headers).toMatchObject({
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(json)),
      'X-Other': 'kept',
    });
  });

  it('may have the field first, last, or alone', async () => {
    for (const fields of [{ content: '', b: 1 }, { a: 'ü', content: '' }, { content: '' }]) {
      expect(await bodyOf(answerOf([Buffer.from('abc')], fields))).toBe(
        JSON.stringify({ ...fields, content: 'YWJj' }),
      );
    }
  });

  it('has an ETag that differs where the record does', () => {
    const etagOf = (digest: string) => answerOf([], { ...record, digest }).headers['ETag'];
    expect(etagOf('d')).toBe(etagOf('d'));
    expect(etagOf('d')).not.toBe(etagOf('e'));
    expect(etagOf('d')).toMatch(/^W\/"/);
  });

  it('lets go of its source when nobody reads it', async () => {
    const bytes = Readable.from([Buffer.from('abc')]);
    const { body } = base64Json(record, { field: 'content', bytes, size: 3 });
    if (!(body instanceof Readable)) throw new Error('not a stream');
    const closed = new Promise((resolve) => bytes.once('close', resolve));
    body.destroy();
    await closed;
    expect(bytes.destroyed).toBe(true);
  });

  it('fails where its source fails', async () => {
    const bytes = Readable.from(
      (function* () {
        yield Buffer.from('abc');
        throw new Error('the source broke');
      })(),
    );
    await expect(bodyOf(base64Json(record, { field: 'content', bytes, size: 6 }))).rejects.toThrow(
      'the source broke',
    );
  });

  it('needs the field in the record', () => {
    expect(() => answerOf([], { other: 1 })).toThrow('the record has no content');
  });
});
