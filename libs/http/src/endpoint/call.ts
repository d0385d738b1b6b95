import type { Readable } from 'node:stream';
import type { Actor, GroupFacts, ProjectFacts } from '#libs/access';
import type { PageRequest } from '#libs/paging';
import type { ParamsOf, ParamsSchema } from '../parameters/params';

/**
 * What the path names and the guard loads. The contexts that own the entities say what they are:
 * `declare module '#libs/http' { interface Subjects { project: Project } }`.
 */
export interface Subjects {}

/** The subject of a kind, at least the facts that access rules need. */
export type SubjectOf<Kind extends 'project' | 'group' | 'scim'> = Kind extends keyof Subjects
  ? Subjects[Kind]
  : Kind extends 'project'
    ? ProjectFacts
    : Kind extends 'group'
      ? GroupFacts
      : object;

/** Everything a handler is given: who calls, upon what, with which parameters. */
export interface Call<Params, Subject> {
  readonly actor: Actor;
  readonly subject: Subject;
  readonly params: Params;
  readonly page: PageRequest;
  /** Aborted when the client goes away before the answer is complete. */
  readonly signal: AbortSignal;
  /** The If-Unmodified-Since header of a DELETE; null when absent or unreadable. */
  readonly unmodifiedSince: Date | null;
  /** Address of the client, for the audit log. */
  readonly address: string;
  /** A header by its name; for protocols that say something in one. */
  readonly header: (name: string) => string | undefined;
  /** The body as it comes, where nobody has read it into the parameters. */
  readonly body: Readable;
}

/** The call of an endpoint that has no project or group in its path. */
export type CallOf<Schema extends ParamsSchema> = Call<ParamsOf<Schema>, null>;
export type ProjectCall<Schema extends ParamsSchema> = Call<ParamsOf<Schema>, SubjectOf<'project'>>;
/** The call of an endpoint of SCIM: its subject is the group whose token was shown. */
export type ScimCall<Schema extends ParamsSchema> = Call<ParamsOf<Schema>, SubjectOf<'scim'>>;
export type GroupCall<Schema extends ParamsSchema> = Call<ParamsOf<Schema>, SubjectOf<'group'>>;
