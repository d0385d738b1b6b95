import { types } from 'node:util';
import { OutboundError } from './outbound-error';

/** OpenSSL's and Node's names for certificates that do not hold. */
const CERTIFICATE =
  /^(?:ERR_TLS_CERT_|CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|HOSTNAME_MISMATCH|INVALID_PURPOSE|INVALID_CA|PATH_LENGTH_EXCEEDED)/;
const NO_HTTP = /^(?:HTTPParserError$|UND_ERR_HEADERS_OVERFLOW|EPROTO|ERR_SSL_)/;
/** A mistake of the caller's, not of the other side. */
const MISUSE = /^UND_ERR_(?:INVALID_|NOT_SUPPORTED)/;

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';

/** What a failed request is to its caller; anything that was not foreseen stays what it is. */
export function failureOf(error: unknown): unknown {
  if (error instanceof OutboundError) return error;
  // Not `instanceof`: errors of Node itself may come from another realm.
  if (!types.isNativeError(error)) return error;
  const code = codeOf(error);
  if (MISUSE.test(code)) return error;
  const options = { cause: error };
  if (CERTIFICATE.test(code))
    return new OutboundError({ kind: 'certificate' }, `The certificate is not trusted (${code})`, options);
  if (NO_HTTP.test(error.name) || NO_HTTP.test(code))
    return new OutboundError({ kind: 'protocol' }, 'The answer is not valid HTTP', options);
  return new OutboundError({ kind: 'connection' }, `The connection failed (${code || error.name})`, options);
}
