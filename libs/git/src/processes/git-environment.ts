/** Settings every git process gets; they outrank a repository's own configuration. */
const SETTINGS: readonly (readonly [string, string])[] = [
  // Storages may be owned by another system user (shared file systems).
  ['safe.directory', '*'],
  // Hooks of a repository never run; pushes name the engine's own folder with -c, which outranks this.
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.quotePath', 'false'],
  ['core.warnAmbiguousRefs', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];

/**
 * The whole environment of a git process: nothing is inherited but PATH, so neither the machine's configuration nor
 * the server's secrets reach it.
 */
export function gitEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...fixedEnvironment(), ...extra };
}

function fixedEnvironment(): Record<string, string> {
  const environment: Record<string, string> = {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    // Paths are names, never patterns (git-safety G5): one rule for every command.
    GIT_LITERAL_PATHSPECS: '1',
    // Nothing is ever fetched over the network by an engine process.
    GIT_ALLOW_PROTOCOL: 'file',
    GIT_CONFIG_COUNT: String(SETTINGS.length),
  };
  SETTINGS.forEach(([key, value], index) => {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return environment;
}
