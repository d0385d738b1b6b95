import { show, type PageAnswer, type Problem } from '../pages/page-answer';
import type { Visit } from '../pages/visit';
import { field } from '../rendering/field';
import { type Html, template } from '../rendering/html';

interface SignInParts {
  readonly visit: Visit;
  readonly returnTo: string;
  readonly login: Html;
  readonly password: Html;
}

const content = template<SignInParts>(`
<h1>Sign in</h1>
<form class="fields" method="post" action="<%= it.visit.to('/users/sign_in') %>">
<%= it.visit.tokenField %>
<% if (it.returnTo !== '') { %>
<input type="hidden" name="return_to" value="<%= it.returnTo %>">
<% } %>
<%= it.login %>
<%= it.password %>
<div class="choice">
<input type="checkbox" id="user_remember_me" name="user[remember_me]" value="1">
<label for="user_remember_me">Remember me on this browser</label>
</div>
<p><button>Sign in</button></p>
</form>
<ul>
<li><a href="<%= it.visit.to('/users/password/new') %>">Forgot your password?</a></li>
<li><a href="<%= it.visit.to('/users/confirmation/new') %>">Did you not receive confirmation instructions?</a></li>
</ul>
`);

/** `returnTo`: a path of this service, empty for none; a consent page behind it may lead to another site. */
export function signInPage(
  visit: Visit,
  returnTo: string,
  login = '',
  problems: readonly Problem[] = [],
): PageAnswer {
  const parts = {
    visit,
    returnTo,
    login: field(
      {
        id: 'user_login',
        name: 'user[login]',
        label: 'Username or email',
        value: login,
        autocomplete: 'username',
      },
      problems,
    ),
    password: field(
      {
        id: 'user_password',
        name: 'user[password]',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
      },
      problems,
    ),
  };
  return show('Sign in', content(parts), {
    problems,
    status: problems.length > 0 ? 401 : 200,
    formsLeadTo: returnTo.startsWith('/oauth/') ? 'anywhere' : [],
  });
}
