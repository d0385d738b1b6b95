import { SCOPES } from '#libs/access';
import { show, type PageAnswer, type Problem } from '../pages/page-answer';
import { type PersonalVisit, visitor } from '../pages/visit';
import { day } from '../rendering/day';
import { field } from '../rendering/field';
import { type Html, template } from '../rendering/html';
import { SCOPE_MEANINGS } from './scope-meanings';

/** A token as its owner's page lists it. */
export interface ListedToken {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
}

/** What the form was filled in with, to be shown again where something about it is wrong. */
export interface TokenDraft {
  readonly name: string;
  readonly expiresAt: string;
  readonly scopes: readonly string[];
}

export interface TokensView {
  readonly tokens: readonly ListedToken[];
  /** Older tokens follow on this page; null for none. */
  readonly nextPage: number | null;
  /** The secret of a token that was made just now: shown this once. */
  readonly secret: string;
  readonly draft: TokenDraft;
  readonly problems: readonly Problem[];
}

interface Parts extends TokensView {
  readonly visit: PersonalVisit;
  readonly name: Html;
  readonly expiry: Html;
  readonly choices: readonly { scope: string; meaning: string; isChosen: boolean }[];
  readonly scopeProblem: string;
  readonly day: (moment: Date | null) => string;
}

const content = template<Parts>(`
<h1>Personal access tokens</h1>
<p>A token takes the place of your password: for the API in the header <code>Private-Token</code>, for git as the password. Whoever has it acts as you.</p>
<% if (it.secret !== '') { %>
<section class="message good" role="status" aria-labelledby="new_token_heading">
<h2 id="new_token_heading">Your new token</h2>
<p class="secret" id="created_token"><%= it.secret %></p>
<p>Copy it now: it is never shown again.</p>
</section>
<% } %>
<h2>Add a token</h2>
<form class="fields" method="post" action="<%= it.visit.to('/-/profile/personal_access_tokens') %>">
<%= it.visit.tokenField %>
<%= it.name %>
<%= it.expiry %>
<fieldset id="personal_access_token_scopes" tabindex="-1"<% if (it.scopeProblem !== '') { %> aria-describedby="scopes_problem"<% } %>>
<legend>Scopes</legend>
<% if (it.scopeProblem !== '') { %>
<span class="problem" id="scopes_problem"><%= it.scopeProblem %></span>
<% } %>
<% for (const { scope, meaning, isChosen } of it.choices) { %>
<div class="choice">
<input type="checkbox" id="scope_<%= scope %>" name="personal_access_token[scopes][]" value="<%= scope %>" aria-describedby="scope_<%= scope %>_hint"<% if (isChosen) { %> checked<% } %>>
<div><label for="scope_<%= scope %>"><%= scope %></label><span class="hint" id="scope_<%= scope %>_hint"><%= meaning %></span></div>
</div>
<% } %>
</fieldset>
<p><button>Create token</button></p>
</form>
<h2 id="active_tokens">Active tokens</h2>
<% if (it.tokens.length === 0) { %>
<p>There are none.</p>
<% } else { %>
<div class="wide" role="region" aria-labelledby="active_tokens" tabindex="0">
<table>
<thead><tr><th scope="col">Name</th><th scope="col">Scopes</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col">Expires</th><th scope="col">Action</th></tr></thead>
<tbody>
<% for (const token of it.tokens) { %>
<tr>
<th scope="row"><%= token.name %></th>
<td><%= token.scopes.join(', ') %></td>
<td><%= it.day(token.createdAt) %></td>
<td><%= it.day(token.lastUsedAt) %></td>
<td><%= it.day(token.expiresAt) %></td>
<td><form class="inline" method="post" action="<%= it.visit.to('/-/profile/personal_access_tokens/' + token.id + '/revoke') %>"><%= it.visit.tokenField %><button class="danger" aria-label="Revoke <%= token.name %>">Revoke</button></form></td>
</tr>
<% } %>
</tbody>
</table>
</div>
<% } %>
<% if (it.nextPage !== null) { %>
<p><a href="<%= it.visit.to('/-/profile/personal_access_tokens?page=' + it.nextPage) %>">Further tokens</a></p>
<% } %>
`);

const dayOrNever = (moment: Date | null): string => (moment ? day(moment) : 'Never');

export function tokensPage(visit: PersonalVisit, view: TokensView): PageAnswer {
  const { draft, problems } = view;
  const offered = SCOPES.filter((scope) => scope !== 'sudo' || visitor(visit).isAdmin);
  const parts = {
    ...view,
    visit,
    day: dayOrNever,
    name: field(
      {
        id: 'personal_access_token_name',
        name: 'personal_access_token[name]',
        label: 'Name',
        value: draft.name,
        hint: 'What it is for.',
      },
      problems,
    ),
    expiry: field(
      {
        id: 'personal_access_token_expires_at',
        name: 'personal_access_token[expires_at]',
        label: 'Expires on',
        type: 'date',
        value: draft.expiresAt,
        hint: 'The first day (UTC) on which it no longer works; never when empty.',
        required: false,
      },
      problems,
    ),
    choices: offered.map((scope) => ({
      scope,
      meaning: SCOPE_MEANINGS[scope],
      isChosen: draft.scopes.includes(scope),
    })),
    scopeProblem: problems.find((each) => each.field === 'personal_access_token_scopes')?.text ?? '',
  };
  return show('Personal access tokens', content(parts), {
    problems,
  });
}
