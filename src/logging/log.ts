import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../settings/settings';

export type Log = Logger;

/** Should an object with headers or settings ever be logged, these never appear, up to two levels deep. */
const SECRET_KEYS = [
  'authorization',
  'cookie',
  'set-cookie',
  'private-token',
  'job-token',
  'x-csrf-token',
  'password',
  'token',
  'secret',
  'initialRootToken',
  'initialRootPassword',
  'databaseUrl',
  'smtpUrl',
];
const REDACTED = SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`]);

/** The process's log: one JSON object a line, on standard output unless told otherwise. */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: stdSerializers.errWithCause },
    redact: { paths: REDACTED, censor: '[redacted]' },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, destination ?? standardOutput());
}

/**
 * Nobody waits for whoever reads the log: lines that come while others are being written go out together, after them.
 * When the process ends, by an exception too, the rest is written first (pino sees to that); only a kill loses it.
 */
const standardOutput = (): DestinationStream => pino.destination({ dest: 1, sync: false });
