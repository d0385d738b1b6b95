import type { Problem } from '../pages/page-answer';
import { type Html, template } from './html';

/** An input with its label, its hint and what is wrong with it. */
export interface Field {
  readonly id: string;
  /** As the form sends it: `user[login]`. */
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password' | 'date';
  readonly value?: string;
  readonly hint?: string;
  /** What browsers and password managers may fill in, by the names of HTML. */
  readonly autocomplete?: string;
  /** True when not given. */
  readonly required?: boolean;
}

interface FieldParts extends Required<Field> {
  readonly problem: string;
  readonly describedBy: string;
}

const render = template<FieldParts>(`
<div class="field">
<label for="<%= it.id %>"><%= it.label %></label>
<% if (it.hint !== '') { %>
<span class="hint" id="<%= it.id %>_hint"><%= it.hint %></span>
<% } %>
<% if (it.problem !== '') { %>
<span class="problem" id="<%= it.id %>_problem"><%= it.problem %></span>
<% } %>
<input id="<%= it.id %>" name="<%= it.name %>" type="<%= it.type %>" value="<%= it.value %>" autocomplete="<%= it.autocomplete %>"<% if (it.describedBy !== '') { %> aria-describedby="<%= it.describedBy %>"<% } %><% if (it.problem !== '') { %> aria-invalid="true"<% } %><% if (it.required) { %> required<% } %>>
</div>
`);

/** Passwords are never sent back into a page: do not give them as `value`. */
export function field(wanted: Field, problems: readonly Problem[] = []): Html {
  const { id, hint = '' } = wanted;
  const problem = problems.find((each) => each.field === id)?.text ?? '';
  const describedBy = [hint && `${id}_hint`, problem && `${id}_problem`]
    .filter((part) => part !== '')
    .join(' ');
  const defaults = { type: 'text', value: '', hint, autocomplete: 'off', required: true } as const;
  return render({ ...defaults, ...wanted, problem, describedBy });
}
