import type { Pool } from 'pg';

/** graphile-worker forgets finished jobs; a copy of each, and of each error, is searched too. */
export async function keepFinishedJobs(pool: Pool): Promise<void> {
  await pool.query(`
    CREATE TABLE every_job (at timestamptz DEFAULT now(), payload json, last_error text);
    CREATE FUNCTION keep_job() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      INSERT INTO public.every_job (payload, last_error) VALUES (NEW.payload, NEW.last_error);
      RETURN NEW;
    END $$;
    CREATE TRIGGER keep_job AFTER INSERT OR UPDATE ON graphile_worker._private_jobs
      FOR EACH ROW EXECUTE FUNCTION keep_job();`);
}

/** Every column of every table as text; bytes in hexadecimal. */
export async function everythingAtRest(pool: Pool): Promise<string> {
  const tables = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const parts: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    parts.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return parts.join('\n');
}

/** A value as it is, without spaces and dashes, and as the bytes of a bytea column. */
export function spellings(value: string): string[] {
  const compact = value.replaceAll(/[ -]/g, '');
  const bytes = [value, compact].map((one) => Buffer.from(one).toString('hex'));
  return [value, compact, ...bytes].map((one) => one.toLowerCase());
}
