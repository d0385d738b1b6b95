import { show, type PageAnswer } from '../pages/page-answer';
import type { Visit } from '../pages/visit';
import { template } from '../rendering/html';

const asking = template<{ visit: Visit; token: string }>(`
<h1>Change your email address?</h1>
<p>The identity provider of a group wants to change the address of your account. Whoever has the new address can set a
new password. Agree only if you know of this change.</p>
<form class="fields" method="post" action="<%= it.visit.to('/users/email_change') %>">
<%= it.visit.tokenField %>
<input type="hidden" name="approval_token" value="<%= it.token %>">
<p><button>Agree to the change</button></p>
</form>
<p class="hint">If you do not agree, close this page: your address stays as it is.</p>
`);

export const emailChangePage = (visit: Visit, token: string): PageAnswer =>
  show('Change your email address', asking({ visit, token }));

const over = template<{ visit: Visit }>(`
<h1>This link no longer works</h1>
<p>It was used already, another change has taken its place, or it is older than a day. Your address is as it was.</p>
<p><a href="<%= it.visit.to('/') %>">To the start</a></p>
`);

export const expiredEmailChangePage = (visit: Visit): PageAnswer =>
  show('Change your email address', over({ visit }), { status: 422 });
