/** Why a URL that a user gave is not called. */
export type UrlRefusal =
  | 'malformed' // no absolute URL, or blanks, control characters and backslashes in it, or too long
  | 'scheme' // neither http nor https
  | 'port' // one that browsers keep away from, as other protocols listen there
  | 'host' // a name or an address of this machine, a private network or a cloud's metadata service
  | 'header'; // credentials that no header can carry

/** How far a request came. */
export type OutboundProblem =
  | { readonly kind: 'refused'; readonly refusal: UrlRefusal }
  /** No answer because no connection came about, or it broke before the answer: worth another try. */
  | { readonly kind: 'connection' }
  /** Connected, but the whole answer did not come in time. */
  | { readonly kind: 'timeout' }
  /** The other side's certificate is not to be trusted. */
  | { readonly kind: 'certificate' }
  /** What came back is no HTTP. */
  | { readonly kind: 'protocol' }
  /** The caller's signal was aborted. */
  | { readonly kind: 'cancelled' };

/** A request got no answer. The message is fit for users: it holds no credentials and no addresses of our network. */
export class OutboundError extends Error {
  constructor(
    readonly problem: OutboundProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'OutboundError';
  }
}

const SENTENCES: Readonly<Record<UrlRefusal, string>> = {
  malformed: 'The URL is not valid',
  scheme: 'The URL must begin with http:// or https://',
  port: 'The port of the URL is not allowed',
  host: 'Requests to the local network are not allowed',
  header: 'The credentials of the URL are not valid',
};

export const refused = (refusal: UrlRefusal): OutboundError =>
  new OutboundError({ kind: 'refused', refusal }, SENTENCES[refusal]);
