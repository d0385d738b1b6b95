import type { Request } from 'express';
import type { ParameterBag } from '../parameters/values';
import type { SubjectOf } from './call';

/** A request of SCIM that was let in. */
export interface ScimAdmission {
  /** The group whose token it showed. */
  readonly subject: SubjectOf<'scim'>;
  /** Query, body and path with the attribute names in the letter case of their schema. */
  readonly parameters: ParameterBag;
}

/** The door of SCIM, beside the callers of the API: bound by the context that knows its tokens. */
export abstract class ScimGate {
  /**
   * Costs one query. Throws `unauthenticated` without the group's own token, then 404 where the group is unknown or
   * SCIM is not switched on, `scim` for a body that is none.
   */
  abstract admit(request: Request): Promise<ScimAdmission>;
}
