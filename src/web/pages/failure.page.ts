import { template } from '../rendering/html';
import { type PageAnswer, show } from './page-answer';

const FAILURES = {
  form_refused: {
    title: 'This form is no longer good',
    text: 'It was made for another session, or another site has sent it. Go back, load the page again, and repeat what you did.',
  },
  not_found: { title: 'Nothing is here', text: 'The page does not exist, or you may not see it.' },
  forbidden: { title: 'You may not do this', text: 'Your account does not have the right to.' },
  unavailable: {
    title: 'Too much is going on',
    text: 'Nothing was done. Please try again in a few seconds.',
  },
  bad_request: {
    title: 'This makes no sense',
    text: 'Something about the request is wrong. Nothing was done.',
  },
  broken: {
    title: 'Something went wrong',
    text: 'It is not your fault. The operator finds the cause in the log.',
  },
} as const;

const content = template<{ title: string; text: string }>(`
<h1><%= it.title %></h1>
<p><%= it.text %></p>
`);

/** A page that only says what is the matter. */
export function failurePage(failure: keyof typeof FAILURES, status: number): PageAnswer {
  const { title, text } = FAILURES[failure];
  return show(title, content({ title, text }), { status });
}

/** For what a page has to say about something else that went wrong. */
export const messagePage = (title: string, text: string, status: number): PageAnswer =>
  show(title, content({ title, text }), { status });
