import { groupMembers, projectMembers, type MemberSource } from '../members/member-source';

/** A project or group that people may ask to become members of. */
export interface RequestedSource {
  readonly source: MemberSource;
  readonly requestAccessEnabled: boolean;
  readonly fullPath: string;
}

interface Requestable {
  readonly id: number;
  readonly requestAccessEnabled: boolean;
  readonly fullPath: string;
}

/** Archived projects are read-only, for requests too. */
export const requestedProject = (
  project: Requestable & { readonly namespaceId: number; readonly archived: boolean },
): RequestedSource => ({
  source: projectMembers(project),
  requestAccessEnabled: project.requestAccessEnabled && !project.archived,
  fullPath: project.fullPath,
});

export const requestedGroup = (group: Requestable): RequestedSource => ({
  source: groupMembers(group),
  requestAccessEnabled: group.requestAccessEnabled,
  fullPath: group.fullPath,
});
