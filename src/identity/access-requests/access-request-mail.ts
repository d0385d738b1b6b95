import type { ActorUser } from '#libs/access';
import type { RequestedSource } from './requested-source';

/** What those who can decide are told. */
export function requestMail(
  requester: ActorUser,
  { source, fullPath }: RequestedSource,
): { readonly subject: string; readonly text: string } {
  const what = source.kind === 'project' ? 'project' : 'group';
  const requests = `/api/v4/${what}s/${source.id}/access_requests`;
  return {
    subject: `Request to join the ${fullPath} ${what}`,
    text: [
      `${requester.name} (@${requester.username}) asks for access to the ${fullPath} ${what}.`,
      '',
      `Approve: PUT ${requests}/${requester.id}/approve`,
      `Deny: DELETE ${requests}/${requester.id}`,
      '',
    ].join('\n'),
  };
}
