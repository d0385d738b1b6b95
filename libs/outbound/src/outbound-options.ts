/** How far requests may reach. */
export interface OutboundOptions {
  /** This machine, private networks and link-local addresses may be called: the operator's word (ALLOW_LOCAL_WEBHOOKS). */
  readonly allowLocal: boolean;
}

/** Injection token of the options. */
export const OUTBOUND_OPTIONS = Symbol('outbound options');
