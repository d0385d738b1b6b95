import { show, type PageAnswer, type Problem } from '../pages/page-answer';
import { type PersonalVisit, visitor } from '../pages/visit';
import { type Html, template } from '../rendering/html';
import { newPasswordFields, passwordField } from './password-fields';

const content = template<{ visit: PersonalVisit; isForced: boolean; current: Html; fresh: readonly Html[] }>(`
<h1><% if (it.isForced) { %>Set up a new password<% } else { %>Change your password<% } %></h1>
<% if (it.isForced) { %>
<p>Your password has expired. Please choose a new one before you go on.</p>
<% } %>
<form class="fields" method="post" action="<%= it.visit.to('/-/profile/password/edit') %>">
<%= it.visit.tokenField %>
<%= it.current %>
<% for (const each of it.fresh) { %><%= each %><% } %>
<p><button>Save password</button></p>
</form>
<p class="hint">All your other sessions end. Access tokens stay good.</p>
`);

export function changePasswordPage(visit: PersonalVisit, problems: readonly Problem[] = []): PageAnswer {
  const parts = {
    visit,
    isForced: visitor(visit).mustChangePassword,
    current: passwordField('current_password', 'Current password', 'current-password', problems),
    fresh: newPasswordFields(problems),
  };
  return show('Change password', content(parts), { problems });
}

const foreign = template<{ visit: PersonalVisit }>(`
<h1>Change your password</h1>
<p>Your password is kept in your organisation's directory, and can only be changed there.</p>
<p><a href="<%= it.visit.to('/') %>">Back to the start</a></p>
`);

export const directoryPasswordPage = (visit: PersonalVisit): PageAnswer =>
  show('Change password', foreign({ visit }));
