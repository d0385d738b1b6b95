import { show, type PageAnswer, type Problem } from '../pages/page-answer';
import type { Visit } from '../pages/visit';
import { type Html, template } from '../rendering/html';
import { emailField } from './email-field';
import { newPasswordFields } from './password-fields';

const asking = template<{ visit: Visit; email: Html }>(`
<h1>Reset your password</h1>
<p>You get a mail with a link to choose a new password.</p>
<form class="fields" method="post" action="<%= it.visit.to('/users/password') %>">
<%= it.visit.tokenField %>
<%= it.email %>
<p><button>Send the mail</button></p>
</form>
<p><a href="<%= it.visit.to('/users/sign_in') %>">Sign in instead</a></p>
`);

export function askResetPage(visit: Visit, problems: readonly Problem[] = []): PageAnswer {
  return show('Reset password', asking({ visit, email: emailField(problems) }), { problems });
}

const choosing = template<{ visit: Visit; token: string; fresh: readonly Html[] }>(`
<h1>Choose a new password</h1>
<form class="fields" method="post" action="<%= it.visit.to('/users/password/edit') %>">
<%= it.visit.tokenField %>
<input type="hidden" name="user[reset_password_token]" value="<%= it.token %>">
<% for (const each of it.fresh) { %><%= each %><% } %>
<p><button>Save password</button></p>
</form>
<p class="hint">All your sessions end. Access tokens stay good.</p>
`);

export function resetPage(visit: Visit, token: string, problems: readonly Problem[] = []): PageAnswer {
  const content = choosing({ visit, token, fresh: newPasswordFields(problems) });
  return show('Choose a new password', content, { problems });
}

const over = template<{ visit: Visit }>(`
<h1>This link no longer works</h1>
<p>It was used already, a newer mail has replaced it, or it is older than six hours.</p>
<p><a href="<%= it.visit.to('/users/password/new') %>">Ask for another mail</a></p>
`);

export const expiredResetPage = (visit: Visit): PageAnswer =>
  show('This link no longer works', over({ visit }), { status: 422 });
