import { SCOPES } from '#libs/access';
import type { Problem } from '../pages/page-answer';
import type { PersonalVisit } from '../pages/visit';
import { field } from '../rendering/field';
import { type Html, template } from '../rendering/html';
import { SCOPE_MEANINGS } from '../tokens/scope-meanings';
import type { ApplicationDraft } from './application-draft';

export interface ApplicationFormFacts {
  readonly draft: ApplicationDraft;
  readonly problems: readonly Problem[];
  /** Path to which the form is sent. */
  readonly action: string;
  readonly button: string;
}

interface Parts extends ApplicationFormFacts {
  readonly visit: PersonalVisit;
  readonly name: Html;
  readonly redirectUriProblem: string;
  readonly scopesProblem: string;
  readonly choices: readonly { scope: string; meaning: string; isChosen: boolean }[];
}

const render = template<Parts>(`
<form class="fields" method="post" action="<%= it.visit.to(it.action) %>">
<%= it.visit.tokenField %>
<%= it.name %>
<div class="field">
<label for="application_redirect_uri">Redirect URI</label>
<span class="hint" id="application_redirect_uri_hint">Where people go on to after their decision, to the letter; one to a line. It begins with https, unless it is on the person’s own machine.</span>
<% if (it.redirectUriProblem !== '') { %>
<span class="problem" id="application_redirect_uri_problem"><%= it.redirectUriProblem %></span>
<% } %>
<textarea id="application_redirect_uri" name="application[redirect_uri]" rows="3" required spellcheck="false" aria-describedby="application_redirect_uri_hint<% if (it.redirectUriProblem !== '') { %> application_redirect_uri_problem<% } %>"<% if (it.redirectUriProblem !== '') { %> aria-invalid="true"<% } %>>
<%= it.draft.redirectUri %></textarea>
</div>
<div class="choice">
<input type="checkbox" id="application_confidential" name="application[confidential]" value="1" aria-describedby="application_confidential_hint"<% if (it.draft.confidential) { %> checked<% } %>>
<div><label for="application_confidential">Confidential</label><span class="hint" id="application_confidential_hint">The application runs where its secret stays secret. Programs in browsers and on other people’s devices do not.</span></div>
</div>
<fieldset id="application_scopes" tabindex="-1"<% if (it.scopesProblem !== '') { %> aria-describedby="application_scopes_problem"<% } %>>
<legend>Scopes it may ask for</legend>
<% if (it.scopesProblem !== '') { %>
<span class="problem" id="application_scopes_problem"><%= it.scopesProblem %></span>
<% } %>
<% for (const { scope, meaning, isChosen } of it.choices) { %>
<div class="choice">
<input type="checkbox" id="scope_<%= scope %>" name="application[scopes][]" value="<%= scope %>" aria-describedby="scope_<%= scope %>_hint"<% if (isChosen) { %> checked<% } %>>
<div><label for="scope_<%= scope %>"><%= scope %></label><span class="hint" id="scope_<%= scope %>_hint"><%= meaning %></span></div>
</div>
<% } %>
</fieldset>
<p><button><%= it.button %></button></p>
</form>
`);

/** The form in which people describe an application of their own. */
export function applicationForm(visit: PersonalVisit, facts: ApplicationFormFacts): Html {
  const { draft, problems } = facts;
  const problemOf = (id: string): string => problems.find((each) => each.field === id)?.text ?? '';
  return render({
    ...facts,
    visit,
    name: field(
      {
        id: 'application_name',
        name: 'application[name]',
        label: 'Name',
        value: draft.name,
        hint: 'What people are shown when they are asked for their consent.',
      },
      problems,
    ),
    redirectUriProblem: problemOf('application_redirect_uri'),
    scopesProblem: problemOf('application_scopes'),
    choices: SCOPES.map((scope) => ({
      scope,
      meaning: SCOPE_MEANINGS[scope],
      isChosen: draft.scopes.includes(scope),
    })),
  });
}
