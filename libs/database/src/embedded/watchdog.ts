import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { runAs, type Account } from './account';
import type { Binaries } from './binaries';
import type { ClusterFolder } from './cluster-folder';
import { serverSettings } from './server-settings';
import type { UsersFolder } from './users';

/**
 * Runs the server and watches its users. Every process that uses the server holds the pipe open for writing;
 * the kernel closes it however the process ends, so the read loop ends exactly when the last user is gone, and
 * then the server is asked for a fast shutdown. A new user writes its name, and the touched file tells it that
 * it was counted in time: after the loop ended nobody is confirmed any more.
 * INT and TERM are ignored, since Ctrl-C reaches the whole process group while the service still drains.
 */
const SCRIPT = `
folder=$1; postgres=$2; shift 2
exec 3<"$folder/pipe"
"$postgres" "$@" </dev/null 3<&- &
server=$!
(while read -r user <&3; do : >"$folder/$user"; done; kill -INT $server 2>/dev/null) </dev/null &
watcher=$!
exec 3<&-
trap "" INT TERM HUP
wait $server
code=$?
kill $watcher 2>/dev/null
rm -rf "$folder"
exit $code
`;

export interface ServerStart {
  readonly cluster: ClusterFolder;
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  readonly users: UsersFolder;
  readonly port: number;
  readonly throwaway: boolean;
}

/** Starts server and watchdog, detached: they outlive this process while others use the server. */
export function startServer(start: ServerStart): ChildProcess {
  const { cluster, users, binaries } = start;
  const settings = Object.entries(serverSettings(start)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const output = openSync(startupLog(cluster), 'w');
  try {
    const child = spawn(
      '/bin/sh',
      ['-c', SCRIPT, 'sh', users.folder, binaries.postgres, '-D', cluster.data, ...settings],
      {
        ...runAs(start.account),
        env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
        stdio: ['ignore', 'ignore', output],
        detached: true,
      },
    );
    child.unref();
    return child;
  } finally {
    closeSync(output);
  }
}

/** What the server says before its own log opens. */
export const startupLog = (cluster: ClusterFolder): string => path.join(cluster.log, 'startup.log');
