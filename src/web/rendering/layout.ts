import type { Problem } from '../pages/page-answer';
import type { Visit } from '../pages/visit';
import { type Html, template } from './html';
import { STYLESHEET_PATH } from './stylesheet';

interface LayoutFacts {
  readonly title: string;
  readonly content: Html;
  readonly problems: readonly Problem[];
  /** Empty for none. */
  readonly notice: string;
  readonly visit: Visit | null;
  readonly base: string;
}

/** What the template needs, ready to print. */
interface LayoutParts extends LayoutFacts {
  readonly stylesheet: string;
}

/** The title of a page with problems begins with that, since it is the first thing a screen reader tells. */
const render = template<LayoutParts>(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><% if (it.problems.length > 0) { %>Problem: <% } %><%= it.title %></title>
<% if (it.visit) { %>
<meta name="csrf-param" content="authenticity_token">
<meta name="csrf-token" content="<%= it.visit.formToken %>">
<% } %>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="<%= it.base + it.stylesheet %>">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header><div>
<a class="home" href="<%= it.base %>/">Source-code platform</a>
<% if (it.visit && it.visit.session) { %>
<nav aria-label="Account">
<ul>
<li><a href="<%= it.visit.to('/-/profile/personal_access_tokens') %>">Access tokens</a></li>
<li><a href="<%= it.visit.to('/-/profile/applications') %>">Applications</a></li>
<li><a href="<%= it.visit.to('/-/profile/password/edit') %>">Password</a></li>
<li><form class="inline" method="post" action="<%= it.visit.to('/users/sign_out') %>"><%= it.visit.tokenField %><button class="plain">Sign out <%= it.visit.session.user.username %></button></form></li>
</ul>
</nav>
<% } %>
</div></header>
<main id="content" tabindex="-1">
<% if (it.notice !== '') { %>
<p class="message good" role="status"><%= it.notice %></p>
<% } %>
<% if (it.problems.length > 0) { %>
<div class="message bad" role="alert" tabindex="-1" autofocus>
<strong>That did not work:</strong>
<ul>
<% for (const problem of it.problems) { %>
<li><% if (problem.field === '') { %><%= problem.text %><% } else { %><a href="#<%= problem.field %>"><%= problem.text %></a><% } %></li>
<% } %>
</ul>
</div>
<% } %>
<%= it.content %>
</main>
<footer><a href="<%= it.base %>/-/api">API reference</a></footer>
</body>
</html>
`);

/** The whole page around its content. */
export const layout = (facts: LayoutFacts): Html => render({ ...facts, stylesheet: STYLESHEET_PATH });
