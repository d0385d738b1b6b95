import { serveOrders } from '../thread-program';

export type Order = 'echo' | 'ask' | 'fail' | 'spin' | 'grow' | 'exit';

/** Does as it is told, so that tests see what becomes of each. */
serveOrders<Order, string, string, string>(async (order, ask) => {
  switch (order) {
    case 'echo':
      return order;
    case 'ask':
      return `${await ask('first')} ${await ask('second')}`;
    case 'fail':
      throw new Error('a defect');
    case 'spin':
      for (;;);
    case 'grow': {
      const all: number[][] = [];
      for (;;) all.push(Array.from({ length: 10_000 }, (_, at) => at / 3));
    }
    case 'exit':
      return process.exit(0);
  }
});
