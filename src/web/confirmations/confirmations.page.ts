import { show, type PageAnswer, type Problem } from '../pages/page-answer';
import type { Visit } from '../pages/visit';
import { emailField } from '../passwords/email-field';
import { type Html, template } from '../rendering/html';

const content = template<{ visit: Visit; email: Html }>(`
<h1>Resend confirmation instructions</h1>
<form class="fields" method="post" action="<%= it.visit.to('/users/confirmation') %>">
<%= it.visit.tokenField %>
<%= it.email %>
<p><button>Send the mail</button></p>
</form>
<p><a href="<%= it.visit.to('/users/sign_in') %>">Sign in instead</a></p>
`);

export function resendPage(visit: Visit, problems: readonly Problem[] = []): PageAnswer {
  return show('Confirm your email', content({ visit, email: emailField(problems) }), { problems });
}
