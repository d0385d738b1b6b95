import { parentPort } from 'node:worker_threads';
import type { FromThread, ToThread } from './messages';

/** Does one order; `ask` has whoever gave it answer a question. What it throws is a defect, and told as one. */
export type Work<Order, Question, Reply, Answer> = (
  order: Order,
  ask: (question: Question) => Promise<Reply>,
) => Promise<Answer>;

interface Asking<Reply> {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

/** The main program of a thread that ThreadPool starts. Orders come one after another. */
export function serveOrders<Order, Question, Reply, Answer>(
  work: Work<Order, Question, Reply, Answer>,
): void {
  const port = parentPort;
  if (!port) throw new Error('this program runs in a thread');
  const say = (message: FromThread<Question, Answer>): void => port.postMessage(message);
  let asking: Asking<Reply> | null = null;
  const ask = (question: Question): Promise<Reply> =>
    new Promise((resolve, reject) => {
      asking = { resolve, reject };
      say({ is: 'question', question });
    });
  const begin = (order: Order): void => {
    work(order, ask).then(
      (answer) => say({ is: 'answer', answer }),
      (error: unknown) => say({ is: 'failure', message: errorText(error) }),
    );
  };
  port.on('message', (message: ToThread<Order, Reply>) => {
    if (message.is === 'order') begin(message.order);
    else if (message.is === 'reply') asking?.resolve(message.reply);
    else asking?.reject(new Error('there is no answer'));
  });
  say({ is: 'ready' });
}

const errorText = (error: unknown): string => (error instanceof Error && error.stack) || String(error);
