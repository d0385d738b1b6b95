import { inspect } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import type { Log } from './log';

type Method = 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'fatal';

/** Nest tells every module and route of every start; that is for whoever debugs one. */
const FRAMEWORK = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Error);

/**
 * Lets Nest and everything that uses its Logger write to our log. Nest adds the name of the writing class as the
 * last argument; before it come a text, an object with fields, an error (or its stack), in any order.
 */
export class NestLog implements LoggerService {
  constructor(private readonly target: Log) {}

  log = (message: unknown, ...rest: unknown[]): void => this.write('info', message, rest);
  error = (message: unknown, ...rest: unknown[]): void => this.write('error', message, rest);
  warn = (message: unknown, ...rest: unknown[]): void => this.write('warn', message, rest);
  debug = (message: unknown, ...rest: unknown[]): void => this.write('debug', message, rest);
  verbose = (message: unknown, ...rest: unknown[]): void => this.write('trace', message, rest);
  fatal = (message: unknown, ...rest: unknown[]): void => this.write('fatal', message, rest);

  private write(method: Method, message: unknown, rest: unknown[]): void {
    const last = rest.at(-1);
    const context = typeof last === 'string' ? last : undefined;
    const parts = [message, ...(context === undefined ? rest : rest.slice(0, -1))];
    const fields: Record<string, unknown> = context === undefined ? {} : { context };
    const texts: string[] = [];
    for (const part of parts) {
      if (part instanceof Error) fields['err'] = part;
      else if (isFields(part)) Object.assign(fields, part);
      else if (typeof part === 'string') texts.push(part);
      else if (part !== undefined && part !== null) texts.push(inspect(part));
    }
    const isNoise = method === 'info' && context !== undefined && FRAMEWORK.has(context);
    this.target[isNoise ? 'debug' : method](fields, texts.join(' '));
  }
}
