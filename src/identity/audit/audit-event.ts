/** Something that owners and administrators will want to know who did. */
export interface AuditEvent {
  /** A person, or an identity provider by its token. */
  readonly actor: { readonly kind: 'user' | 'scim_token'; readonly id: number };
  /** As `thing.done`. */
  readonly action: string;
  readonly groupId: number;
  /** Whom it happened to, if anybody. */
  readonly userId?: number;
  /** What was changed, to what; never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Address of the client. */
  readonly address: string;
}
