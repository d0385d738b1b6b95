import { parseArgs } from 'node:util';
import { UsageError, type Command, type Input } from './command';

/** Reads `--name value` pairs. Throws UsageError for unknown, missing or surplus ones. */
export function readInput({ name, options }: Command, args: readonly string[]): Input {
  const values = new Map(Object.entries(parsed(name, options, args)));
  for (const [option, { default: otherwise }] of Object.entries(options)) {
    if (values.has(option)) continue;
    if (otherwise === undefined) throw new UsageError(`${name} needs --${option}`);
    values.set(option, otherwise);
  }
  return {
    option(wanted) {
      const value = values.get(wanted);
      if (value === undefined) throw new Error(`${name} declares no option ${wanted}`);
      return value;
    },
  };
}

function parsed(name: string, options: Command['options'], args: readonly string[]): Record<string, string> {
  const types = Object.fromEntries(
    Object.keys(options).map((option) => [option, { type: 'string' as const }]),
  );
  try {
    const { values } = parseArgs({ args: [...args], options: types, strict: true, allowPositionals: false });
    return Object.fromEntries(
      Object.entries(values).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
    );
  } catch (error) {
    throw new UsageError(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** How to use the command line, or one command. */
export function usage(commands: readonly Command[]): string {
  const blocks = commands.map(({ name, summary, options }) =>
    [
      `  ${name.padEnd(16)} ${summary}`,
      ...Object.entries(options).map(([option, { meaning, default: otherwise }]) => {
        const tail =
          otherwise === undefined ? ' (needed)' : otherwise === '' ? '' : ` (default: ${otherwise})`;
        return `      --${option.padEnd(12)} ${meaning}${tail}`;
      }),
    ].join('\n'),
  );
  return ['Usage: npm run --silent admin -- <command> [--option value ...]', '', ...blocks].join('\n');
}
