import type { AuthorizationRequest } from '../../identity/identity.api';
import { show, type PageAnswer } from '../pages/page-answer';
import { type PersonalVisit, visitor } from '../pages/visit';
import { template } from '../rendering/html';
import { SCOPE_MEANINGS } from '../tokens/scope-meanings';

interface Parts {
  readonly visit: PersonalVisit;
  readonly username: string;
  readonly name: string;
  /** Host, or where there is none the scheme, of where the person goes next. */
  readonly destination: string;
  readonly scopes: readonly { readonly scope: string; readonly meaning: string }[];
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

const content = template<Parts>(`
<h1>Let <%= it.name %> act for you?</h1>
<p>You are signed in as <strong><%= it.username %></strong>. If you agree, <strong><%= it.name %></strong> can do this in your name:</p>
<dl>
<% for (const { scope, meaning } of it.scopes) { %>
<dt><code><%= scope %></code></dt>
<dd><%= meaning %></dd>
<% } %>
</dl>
<p>Whatever you decide, you go on to <strong id="destination"><%= it.destination %></strong>. Agree only if you know it. You can take it back at any time under <a href="<%= it.visit.to('/-/profile/applications') %>">Applications</a>.</p>
<form method="post" action="<%= it.visit.to('/oauth/authorize') %>">
<%= it.visit.tokenField %>
<% for (const { name, value } of it.fields) { %>
<input type="hidden" name="<%= name %>" value="<%= value %>">
<% } %>
<button>Authorize</button>
<button class="plain" name="_method" value="delete">Deny</button>
</form>
`);

/** Asks for consent. The form repeats what was asked for; it is checked anew when it comes back. */
export function authorizePage(
  visit: PersonalVisit,
  query: Readonly<Record<string, string>>,
  { application, scopes, redirectUri }: AuthorizationRequest,
): PageAnswer {
  const { host, protocol } = new URL(redirectUri);
  const parts = {
    visit,
    username: visitor(visit).username,
    name: application.name,
    destination: /^https?:$/.test(protocol) ? host : `a program on your device (${protocol})`,
    scopes: scopes.map((scope) => ({ scope, meaning: SCOPE_MEANINGS[scope] })),
    fields: Object.entries(query).map(([name, value]) => ({ name, value })),
  };
  // Browsers hold all redirects that follow against the policy, those of the application's own sites included.
  return show(`Let ${application.name} act for you?`, content(parts), { formsLeadTo: 'anywhere' });
}
