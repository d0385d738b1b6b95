import { MOST_CONNECTIONS } from '../connection-shares';
import type { ClusterFolder } from './cluster-folder';

interface Server {
  readonly cluster: ClusterFolder;
  readonly port: number;
  readonly throwaway: boolean;
}

/** Settings for a durable server of one machine (or a fast, forgetful one for tests). Reached by TCP on loopback only. */
export function serverSettings({ cluster, port, throwaway }: Server): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: String(MOST_CONNECTIONS),
    timezone: 'UTC',
    log_timezone: 'UTC',
    jit: 'off',
    // Nothing replicates from here: the smallest log that still survives a crash.
    wal_level: 'minimal',
    max_wal_senders: '0',
    log_checkpoints: 'off',
    // Statements may carry private data; the service logs its own errors.
    log_min_error_statement: 'panic',
    ...planning,
    ...(throwaway ? forgetful : durable(cluster)),
  };
}

/** What decides between ways of answering a statement: tests see the plans of a real server. */
const planning = {
  effective_cache_size: '1GB',
  work_mem: '8MB',
  random_page_cost: '1.1',
};

const forgetful = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  shared_buffers: '128MB',
  // Tests may lie in memory, where a long log costs more than the checkpoints that shorten it.
  max_wal_size: '256MB',
  wal_recycle: 'off',
  log_min_messages: 'fatal',
};

const durable = (cluster: ClusterFolder): Record<string, string> => ({
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '256MB',
  maintenance_work_mem: '128MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  // A row that many writers update (a counter) stays cheap, and a dead client never holds a lock for long.
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
  // One file per weekday, overwritten a week later: the log is bounded.
  logging_collector: 'on',
  log_directory: cluster.log,
  log_filename: 'postgresql-%w.log',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
  log_min_messages: 'warning',
});
