export { createTestDatabase, type TestDatabase } from './database/test-database';
export { startChild, type Child } from './processes/child';
export { until } from './processes/until';
