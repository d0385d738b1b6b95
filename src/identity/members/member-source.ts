import { Level } from '#libs/access';

export type SourceKind = 'project' | 'namespace';

/** The project or group that somebody is a member of. */
export interface MemberSource {
  readonly kind: SourceKind;
  readonly id: number;
  /** Where inherited memberships come from: the group itself, or the namespace of the project. */
  readonly namespaceId: number;
}

/** Who manages the members of a source: the reference's rule. */
export const managerLevel = ({ kind }: Pick<MemberSource, 'kind'>): number =>
  kind === 'project' ? Level.maintainer : Level.owner;

interface ProjectLike {
  readonly id: number;
  readonly namespaceId: number;
}

export const projectMembers = ({ id, namespaceId }: ProjectLike): MemberSource => ({
  kind: 'project',
  id,
  namespaceId,
});

export const groupMembers = ({ id }: { readonly id: number }): MemberSource => ({
  kind: 'namespace',
  id,
  namespaceId: id,
});
