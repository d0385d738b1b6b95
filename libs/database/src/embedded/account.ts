import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { StartupError } from './startup-error';

/** The unprivileged account a server runs under when this process is root. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const CANDIDATES = ['postgres', 'nobody'];

/**
 * The account to run PostgreSQL under, or `undefined` when this process is not root and may run it itself.
 * PostgreSQL refuses user 0 in every build. Throws StartupError when root finds no unprivileged account.
 */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const rows = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of CANDIDATES) {
    const row = rows.find((fields) => fields[0] === name);
    if (row) return { name, uid: Number(row[2]), gid: Number(row[3]) };
  }
  throw new StartupError(
    `PostgreSQL does not run as root, and no unprivileged account (${CANDIDATES.join(', ')}) exists.`,
  );
}

/** Spawn options that make a child run as the account, from a folder every account may enter. */
export const runAs = (account: Account | undefined): { cwd: string; uid?: number; gid?: number } => ({
  cwd: '/',
  ...(account && { uid: account.uid, gid: account.gid }),
});

/** Whether the account may enter the folder; asked of the kernel, since modes, groups and ACLs all count. */
export function canEnter(folder: string, account: Account): boolean {
  const probe = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', folder], {
    ...runAs(account),
    timeout: 5_000,
  });
  return probe.status === 0;
}
