import type { Request } from 'express';
import { showsCredential } from '../authentication/shown-credential';

const MiB = 1024 * 1024;

/** How much of a request is read. Sizes are in bytes, after decompression. */
export interface BodyLimits {
  /** Of a JSON or form body, and of all fields of a multipart body together. */
  readonly text: number;
  /** Of one file of a multipart body. */
  readonly file: number;
  /** Files of a multipart body. */
  readonly files: number;
}

/**
 * A note of a million characters, %-encoded, takes 9 MiB. A body of this size is read before the caller is known
 * (a token may lie in it), and its parsing holds the event loop, so the limit is no larger than it must be.
 */
const ORDINARY: BodyLimits = { text: 20 * MiB, file: 100 * MiB, files: 10 };

/** File contents travel as text in commits and in the file endpoints; base64 adds a third. */
const CONTENT: BodyLimits = { ...ORDINARY, text: 144 * MiB };

const CONTENT_PATH = /\/repository\/(?:commits|files\/[^/?]+)(?:\.json)?\/?(?:\?|$)/;

/** Files that a project's texts refer to, and what CI jobs leave behind. */
const UPLOAD_PATH = /\/(?:projects\/[^/?]+\/uploads|jobs\/\d+\/artifacts)(?:\.json)?\/?(?:\?|$)/;

/** Without any credential outside of the body: room for one inside of it, and for what strangers may send. */
const STRANGER: BodyLimits = { text: MiB, file: MiB, files: 10 };

/** Of all bodies that this process is reading at the moment, uploaded files aside. In bytes. */
export const BODIES_IN_FLIGHT = 512 * MiB;

/** How deep JSON may nest. */
export const JSON_DEPTH_LIMIT = 100;

/** Values in a JSON body: a commit of 20,000 actions with 8 fields each fits. */
export const JSON_ELEMENT_LIMIT = 200_000;

/** What is still read of a refused body, so that the client gets to see the refusal: more only ends the connection. */
export const DISCARD_BYTES = 32 * MiB;
export const DISCARD_MILLISECONDS = 2000;

/**
 * The limits for a request by its path and by whether it shows a credential before its body. A file that is uploaded
 * to a project, or comes from a CI job, may have so many bytes.
 */
export function bodyLimitsOf(
  request: Pick<Request, 'url' | 'headers' | 'parameters'>,
  uploadBytes = ORDINARY.file,
): BodyLimits {
  if (!showsCredential(request)) return { ...STRANGER, file: Math.min(STRANGER.file, uploadBytes) };
  if (UPLOAD_PATH.test(request.url)) return { ...ORDINARY, file: uploadBytes };
  return CONTENT_PATH.test(request.url) ? CONTENT : ORDINARY;
}
