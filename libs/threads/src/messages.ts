/** What a thread is told: one order at a time, and answers to what it asks meanwhile. */
export type ToThread<Order, Reply> =
  | { readonly is: 'order'; readonly order: Order }
  | { readonly is: 'reply'; readonly reply: Reply }
  /** There is no answer, and whoever gave the order no longer waits. */
  | { readonly is: 'nothing' };

export type FromThread<Question, Answer> =
  | { readonly is: 'ready' }
  | { readonly is: 'question'; readonly question: Question }
  | { readonly is: 'answer'; readonly answer: Answer }
  /** The program is broken: a mistake that is expected is an answer. */
  | { readonly is: 'failure'; readonly message: string };
