import type {
  AuthorizedApplication,
  OAuthApplication,
  RegisteredApplication,
} from '../../identity/identity.api';
import { show, type PageAnswer, type Problem } from '../pages/page-answer';
import type { PersonalVisit } from '../pages/visit';
import { day } from '../rendering/day';
import { type Html, template } from '../rendering/html';
import type { ApplicationDraft } from './application-draft';
import { applicationForm } from './application-form';

/** Where all of these pages lie. */
export const APPLICATIONS = '/-/profile/applications';

export interface ApplicationsView {
  /** Those that may act for the visitor. */
  readonly authorized: readonly AuthorizedApplication[];
  /** Those that the visitor has registered. */
  readonly own: readonly OAuthApplication[];
  readonly draft: ApplicationDraft;
  readonly problems: readonly Problem[];
}

interface ListParts extends ApplicationsView {
  readonly visit: PersonalVisit;
  readonly path: string;
  readonly form: Html;
  readonly day: (moment: Date) => string;
}

const list = template<ListParts>(`
<h1>Applications</h1>
<h2 id="authorized">Applications that act for you</h2>
<% if (it.authorized.length === 0) { %>
<p>There are none.</p>
<% } else { %>
<div class="wide" role="region" aria-labelledby="authorized" tabindex="0">
<table>
<thead><tr><th scope="col">Name</th><th scope="col">Scopes</th><th scope="col">Since</th><th scope="col">Action</th></tr></thead>
<tbody>
<% for (const application of it.authorized) { %>
<tr>
<th scope="row"><%= application.name %></th>
<td><%= application.scopes.join(', ') %></td>
<td><%= it.day(application.since) %></td>
<td><form class="inline" method="post" action="<%= it.visit.to(it.path + '/' + application.id + '/revoke') %>"><%= it.visit.tokenField %><button class="danger" aria-label="Revoke <%= application.name %>">Revoke</button></form></td>
</tr>
<% } %>
</tbody>
</table>
</div>
<% } %>
<h2 id="own">Applications that you have registered</h2>
<% if (it.own.length === 0) { %>
<p>There are none.</p>
<% } else { %>
<div class="wide" role="region" aria-labelledby="own" tabindex="0">
<table>
<thead><tr><th scope="col">Name</th><th scope="col">Client ID</th><th scope="col">Scopes</th><th scope="col">Action</th></tr></thead>
<tbody>
<% for (const application of it.own) { %>
<tr>
<th scope="row"><%= application.name %></th>
<td><code><%= application.uid %></code></td>
<td><%= application.scopes.join(', ') %></td>
<td><a href="<%= it.visit.to(it.path + '/' + application.id + '/edit') %>" aria-label="Edit <%= application.name %>">Edit</a></td>
</tr>
<% } %>
</tbody>
</table>
</div>
<% } %>
<h2>Register an application</h2>
<%= it.form %>
`);

export function applicationsPage(visit: PersonalVisit, view: ApplicationsView): PageAnswer {
  const { draft, problems } = view;
  const form = applicationForm(visit, {
    draft,
    problems,
    action: APPLICATIONS,
    button: 'Register application',
  });
  return show('Applications', list({ ...view, visit, form, day, path: APPLICATIONS }), {
    problems,
  });
}

const secret = template<{ visit: PersonalVisit; path: string; uid: string; name: string; secret: string }>(`
<h1><%= it.name %></h1>
<section class="message good" role="status" aria-labelledby="credentials">
<h2 id="credentials">What the application needs</h2>
<dl>
<dt>Client ID</dt><dd class="secret" id="client_id"><%= it.uid %></dd>
<dt>Client secret</dt><dd class="secret" id="client_secret"><%= it.secret %></dd>
</dl>
<p>Copy the secret now: it is never shown again.</p>
</section>
<p><a href="<%= it.visit.to(it.path) %>">All applications</a></p>
`);

/** The only page that tells the secret. */
export const secretPage = (visit: PersonalVisit, registered: RegisteredApplication): PageAnswer =>
  show(
    registered.application.name,
    secret({
      visit,
      path: APPLICATIONS,
      uid: registered.application.uid,
      name: registered.application.name,
      secret: registered.secret,
    }),
  );

const edit = template<{ visit: PersonalVisit; path: string; name: string; uid: string; form: Html }>(`
<h1>Edit <%= it.name %></h1>
<p>Client ID: <code><%= it.uid %></code></p>
<%= it.form %>
<h2>New secret</h2>
<p>The old one stops working at once. What people have allowed stays.</p>
<form method="post" action="<%= it.visit.to(it.path + '/secret') %>"><%= it.visit.tokenField %><button class="plain">Make a new secret</button></form>
<h2>Delete</h2>
<p>The application can no longer act for anybody.</p>
<form method="post" action="<%= it.visit.to(it.path + '/delete') %>"><%= it.visit.tokenField %><button class="danger">Delete application</button></form>
`);

export function editPage(
  visit: PersonalVisit,
  { id, uid, name }: OAuthApplication,
  draft: ApplicationDraft,
  problems: readonly Problem[] = [],
): PageAnswer {
  const path = `${APPLICATIONS}/${id}`;
  const form = applicationForm(visit, { draft, problems, action: path, button: 'Save' });
  return show(`Edit ${name}`, edit({ visit, path, name, uid, form }), {
    problems,
  });
}
