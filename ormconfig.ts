import path from 'node:path';
import { dataSourceOptions } from '#libs/database';
import { DataSource } from 'typeorm';

/** For TypeORM's own command line (`typeorm -d dist/ormconfig.js migration:show`); the service makes its own. */
const url = process.env.DATABASE_URL;
if (!url) throw new Error('Set DATABASE_URL to the address of the database that the command is for.');

export default new DataSource(
  dataSourceOptions({
    url,
    entities: [path.join(__dirname, 'src/**/*.entity.{ts,js}')],
    migrations: [path.join(__dirname, 'migrations/*.{ts,js}')],
    statementTimeoutMs: 0,
    applicationName: 'typeorm',
  }),
);
