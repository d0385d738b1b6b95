import { readNote } from './quick-action-lines';

it.each([
  ['Hello', 'Hello', []],
  ['/close', '', ['close']],
  ['/Close \r\n', '', ['close']],
  ['Done.\n/close\nThanks.', 'Done.\nThanks.', ['close']],
  ['/close\n/reopen', '', ['close', 'reopen']],
  ['see /close', 'see /close', []],
  ['/closed', '/closed', []],
  ['/close now', '/close now', []],
  ['/label ~bug\n/assign @me', '/label ~bug\n/assign @me', []],
  ['```\n/close\n```', '```\n/close\n```', []],
  ['~~~\n/close\n~~~\n/reopen', '~~~\n/close\n~~~', ['reopen']],
])('reads %j', (body, text, actions) => {
  expect(readNote(body)).toEqual({ text, actions });
});
