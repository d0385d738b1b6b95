import path from 'node:path';
import { migrate } from '../migrate';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const [url = ''] = process.argv.slice(2);
// A failure ends the process with its stack, which the test shows.
void migrate({ url, migrations: [path.resolve(__dirname, '../../../../migrations/*.ts')] }).then((names) =>
  say(`ran ${names.length}`),
);
