import { until } from '#libs/testing';
import type { Client } from 'pg';

/** Lets everything that was noted and never settled count as old, has it looked for at once, and waits for the end of it. */
export async function recoverNow(rows: Client): Promise<void> {
  await rows.query(`UPDATE ref_intents SET created_at = now() - interval '1 day'`);
  await rows.query(`INSERT INTO pgboss.job (name, data) VALUES ('repository.recover_ref_intents', '{}')`);
  await until(async () => (await rows.query('SELECT 1 FROM ref_intents')).rowCount === 0);
}
