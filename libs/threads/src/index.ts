export { ThreadError, type ThreadProblem } from './thread-error';
export { ThreadPool, type PoolLimits } from './thread-pool';
export { serveOrders, type Work } from './thread-program';
export { startThread } from './thread-start';
