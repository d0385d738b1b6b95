import { open } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type/node';
import { isPicture } from './picture-types';

/** As many as the signatures of all kinds of files need. */
const BEGINNING = 4100;

const UNKNOWN = 'application/octet-stream';

/** What a browser may know the type of, as it saves it or plays it: none of them is ever run. */
const HARMLESS = /^(?:video|audio)\/[\w.+-]+$|^application\/(?:pdf|zip|gzip|x-tar)$/;

/** The type under which a file is served: by its bytes, and none that a browser would run. */
export async function contentTypeOf(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0);
    const found = await fileTypeFromBuffer(buffer.subarray(0, bytesRead));
    return found && (isPicture(found.mime) || HARMLESS.test(found.mime)) ? found.mime : UNKNOWN;
  } finally {
    await handle.close();
  }
}
