import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { badRequest, DomainError } from '#libs/errors';
import type { BodyShare } from './bodies-in-flight';
import type { BodyLimits } from './body-limits';
import { decodeText } from './body-text';
import { addParameter, PARAMETER_COUNT_LIMIT } from './rack-parameters';
import type { TemporaryFiles } from './temporary-files';
import { TimeSlices } from './time-slices';
import { emptyBag, type ParameterBag, UploadedFile } from './values';

/** What one body may take up. */
export interface BodyRoom {
  readonly limits: BodyLimits;
  readonly files: TemporaryFiles;
  readonly share: BodyShare;
}

/** The most a multipart body may have in all: its files, its fields, and what frames them. */
export function multipartLimit({ text, file, files }: BodyLimits): number {
  return text + file * files;
}

/**
 * Reads a multipart body: fields with names as in Rack, files streamed to temporary files. A file part without a
 * file name is what browsers send for an empty file field, and is left out.
 * @throws DomainError too_large, or bad_request when it is malformed, no UTF-8, or has too many parts.
 */
export async function readMultipart(
  bytes: AsyncIterable<Buffer>,
  headers: IncomingHttpHeaders,
  room: BodyRoom,
): Promise<ParameterBag> {
  const parts = new PartCollector(room);
  const busboy = busboyFor(headers);
  const failed = new Promise<never>((_resolve, reject) => {
    parts.onFailure = reject;
    busboy.on('error', (error) => reject(malformed(error)));
    busboy.on('partsLimit', () => reject(badRequest('400 Bad request - too many parameters')));
  });
  // Whether or not somebody waits for it at the moment, a failure is no unhandled rejection.
  failed.catch(() => undefined);
  busboy.on('file', (name, stream, fileName, _encoding, type) =>
    parts.collect({ name, fileName, type }, stream),
  );
  try {
    await Promise.race([feed(busboy, bytes, failed), failed]);
    return await Promise.race([parts.bag(), failed]);
  } finally {
    parts.abandon();
  }
}

async function feed(
  busboy: BusboyInstance,
  bytes: AsyncIterable<Buffer>,
  failed: Promise<never>,
): Promise<void> {
  for await (const chunk of bytes) {
    if (!busboy.write(chunk)) await Promise.race([once(busboy, 'drain'), failed]);
  }
  const finished = once(busboy, 'finish');
  busboy.end();
  await Promise.race([finished, failed]);
}

function busboyFor(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      // All parts come as streams, so that fields are counted together and decoded strictly.
      isPartAFile: () => true,
      limits: { parts: PARAMETER_COUNT_LIMIT, headerPairs: 20, headerSize: 16 * 1024 },
    });
  } catch (error) {
    throw malformed(error);
  }
}

function malformed(cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  return new DomainError(
    { kind: 'bad_request', message: '400 Bad request - malformed multipart body' },
    { cause },
  );
}

/** What adding a part costs, in characters parsed. */
const PART_WEIGHT = 256;

interface PartHead {
  name: string | undefined;
  fileName: string | undefined;
  type: string;
}

/** Reads parts as they come, one or several at once, and keeps them in their order. */
class PartCollector {
  onFailure: (error: unknown) => void = () => undefined;
  private readonly parts: Promise<[string, string | UploadedFile] | undefined>[] = [];
  private readonly open = new Set<BusboyFileStream>();
  private textSize = 0;
  private fileCount = 0;

  constructor(private readonly room: BodyRoom) {}

  collect(head: PartHead, stream: BusboyFileStream): void {
    this.open.add(stream);
    // A body that breaks off ends its last part with an error, maybe before anybody reads that part.
    stream.on('error', (error) => this.onFailure(malformed(error)));
    const part = this.read(head, stream).finally(() => this.open.delete(stream));
    part.catch((error: unknown) => this.onFailure(error));
    this.parts.push(part);
  }

  async bag(): Promise<ParameterBag> {
    const bag = emptyBag();
    const slices = new TimeSlices();
    for (const part of await Promise.all(this.parts)) {
      if (part) addParameter(bag, ...part);
      if (slices.isOver(PART_WEIGHT)) await slices.rest();
    }
    return bag;
  }

  /** Lets go of parts that nobody will read to their end. */
  abandon(): void {
    for (const stream of this.open) stream.destroy();
  }

  private async read({ name, fileName, type }: PartHead, stream: BusboyFileStream) {
    if (name === undefined || fileName === '') return void stream.resume();
    const value =
      fileName === undefined ? await this.readField(stream) : await this.save(fileName, type, stream);
    const part: [string, string | UploadedFile] = [name, value];
    return part;
  }

  private async readField(stream: BusboyFileStream): Promise<string> {
    const chunks: Buffer[] = [];
    const { limits, share } = this.room;
    for await (const chunk of this.counted(stream, (size) => limits.text - (this.textSize += size))) {
      share.take(chunk.length);
      chunks.push(chunk);
    }
    return decodeText(Buffer.concat(chunks), 'utf-8');
  }

  private async save(fileName: string, type: string, stream: BusboyFileStream): Promise<UploadedFile> {
    const { limits, files } = this.room;
    if (++this.fileCount > limits.files) throw badRequest('400 Bad request - too many files');
    const target = await files.create();
    let total = 0;
    await pipeline(
      this.counted(stream, (size) => limits.file - (total += size)),
      target,
    );
    return new UploadedFile(fileName, type, String(target.path), total);
  }

  /** `remaining` is told the size of each chunk and answers how many bytes are left of the limit. */
  private async *counted(
    stream: BusboyFileStream,
    remaining: (size: number) => number,
  ): AsyncGenerator<Buffer> {
    // Destroying the stream here would report the destruction, not its reason; `abandon` does it later.
    const chunks: AsyncIterable<Buffer> = stream.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) {
      if (remaining(chunk.length) < 0) throw new DomainError({ kind: 'too_large' });
      yield chunk;
    }
  }
}
