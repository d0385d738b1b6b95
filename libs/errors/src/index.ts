/**
 * What can go wrong in the domain, in words that know nothing of HTTP.
 * `libs/http` alone translates a kind into a status and one of the specification's body forms.
 */
export type ErrorKind =
  | { kind: 'unauthenticated' }
  | { kind: 'invalid_token'; description: string }
  | { kind: 'insufficient_scope'; scope: string }
  /** `reason` is appended to "403 Forbidden - " when given; `error` is a whole sentence in its stead, in the body's other form. */
  | { kind: 'forbidden'; reason?: string; error?: string }
  /** `what` names the missing thing ("Project", "Commit"); absent for a child record. */
  | { kind: 'not_found'; what?: string; message?: string }
  /** The specification's body 1: a required attribute was not sent. */
  | { kind: 'missing'; attribute: string }
  /** A parameter has the wrong type or value; `text` is the whole sentence, "since is invalid". */
  | { kind: 'invalid_parameter'; text: string }
  /** The specification's body 2: property name to error sentences, possibly nested. */
  | { kind: 'validation'; errors: ValidationErrors }
  | { kind: 'bad_request'; message: string }
  | { kind: 'not_allowed'; message: string }
  /** It may be asked for, and cannot be done with what is there. */
  | { kind: 'not_acceptable'; message: string }
  /** `message` is a sentence, several, or the properties that clash. */
  | { kind: 'conflict'; message?: string | readonly string[] | ValidationErrors }
  | { kind: 'precondition_failed'; message?: string }
  /** What RFC 7644 has a word of its own for; `detail` is a sentence. */
  | { kind: 'scim'; scimType: ScimErrorType; detail: string }
  | { kind: 'unprocessable'; error?: string; messages?: string[] }
  | { kind: 'not_modified' }
  | { kind: 'too_large' }
  | { kind: 'unavailable'; message: string };

/** The words of RFC 7644, 3.12, that this service uses. */
export type ScimErrorType = 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'mutability';

/** Property name → sentences, or a nested object of the same shape for a nested entity. */
export interface ValidationErrors {
  [property: string]: string[] | ValidationErrors;
}

/** The only error the domain throws on purpose; whatever else reaches the edge is a defect and answers 500. */
export class DomainError extends Error {
  constructor(
    readonly detail: ErrorKind,
    options?: ErrorOptions,
  ) {
    super(detail.kind, options);
    this.name = 'DomainError';
  }
}

export const unauthenticated = (): DomainError => new DomainError({ kind: 'unauthenticated' });
export const forbidden = (reason?: string): DomainError =>
  new DomainError({ kind: 'forbidden', ...(reason !== undefined && { reason }) });
/** 404 with "404 <what> Not Found", or for a child record (no `what`) "404 Not found". */
export const notFound = (what?: string): DomainError =>
  new DomainError({ kind: 'not_found', ...(what !== undefined && { what }) });
export const badRequest = (message: string): DomainError => new DomainError({ kind: 'bad_request', message });
export const invalid = (errors: ValidationErrors): DomainError =>
  new DomainError({ kind: 'validation', errors });
export const invalidParameter = (text: string): DomainError =>
  new DomainError({ kind: 'invalid_parameter', text });
/** 405: not in the state that the thing is in. */
export const notAllowed = (message = '405 Method Not Allowed'): DomainError =>
  new DomainError({ kind: 'not_allowed', message });
export const notAcceptable = (message: string): DomainError =>
  new DomainError({ kind: 'not_acceptable', message });
export const missing = (attribute: string): DomainError => new DomainError({ kind: 'missing', attribute });
export const conflict = (message?: string | readonly string[] | ValidationErrors): DomainError =>
  new DomainError({ kind: 'conflict', ...(message !== undefined && { message }) });

/** For conditional requests: throws `precondition_failed` where a thing changed after the moment that the caller names. */
export function requireUnmodified(changedAt: Date, unmodifiedSince: Date | null): void {
  // HTTP dates have whole seconds.
  if (unmodifiedSince !== null && Math.floor(changedAt.getTime() / 1000) * 1000 > unmodifiedSince.getTime()) {
    throw new DomainError({ kind: 'precondition_failed' });
  }
}
