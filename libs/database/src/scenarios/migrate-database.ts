import path from 'node:path';
import { migrate } from '../migrate';

const [url = ''] = process.argv.slice(2);
migrate({ url, migrations: [path.resolve(__dirname, '../../../../migrations/*.ts')] })
  .then((names) => console.log(`ran ${names.length}`))
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
