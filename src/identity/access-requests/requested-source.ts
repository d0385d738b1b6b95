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

export const requestedProject = (
  project: Requestable & { readonly namespaceId: number },
): RequestedSource => ({
  source: projectMembers(project),
  requestAccessEnabled: project.requestAccessEnabled,
  fullPath: project.fullPath,
});

export const requestedGroup = (group: Requestable): RequestedSource => ({
  source: groupMembers(group),
  requestAccessEnabled: group.requestAccessEnabled,
  fullPath: group.fullPath,
});
