// Loaded into a server by --require: tells on SIGUSR2 how long its event loop was held up since the last time.
const { monitorEventLoopDelay } = require('node:perf_hooks');

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const milliseconds = (nanoseconds) => (nanoseconds / 1e6).toFixed(1);
process.on('SIGUSR2', () => {
  const [median, p99, most] = [delay.percentile(50), delay.percentile(99), delay.max].map(milliseconds);
  console.log(`event loop delay: p50 ${median} ms, p99 ${p99} ms, most ${most} ms`);
  delay.reset();
});
