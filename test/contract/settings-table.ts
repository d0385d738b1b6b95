import { SETTINGS_HELP } from '../../src/settings/settings-help';

/** The settings as the README lists them. */
export function settingsTable(): string {
  const rows = SETTINGS_HELP.map(
    ({ name, default: otherwise, meaning }) => `| \`${name}\` | ${otherwise} | ${meaning} |`,
  );
  return ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
