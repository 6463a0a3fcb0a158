import type { ClientBase } from 'pg';

const objects = `
  SELECT concat_ws(' ', pg_get_functiondef(oid), proacl, obj_description(oid, 'pg_proc')) AS line
  FROM pg_proc WHERE pronamespace = 'ops'::regnamespace
  UNION ALL
  SELECT concat_ws(' ', oid::regclass, CASE relkind WHEN 'v' THEN pg_get_viewdef(oid) END, relacl, obj_description(oid, 'pg_class'))
  FROM pg_class WHERE relnamespace = 'ops'::regnamespace AND relkind IN ('r', 'v')
  UNION ALL
  SELECT t::text FROM ops.task t
  ORDER BY 1`;

/** The views and functions of `ops` with their rights and descriptions, and the rows of `ops.task`; a line each. */
export async function operatorObjects(client: Pick<ClientBase, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(objects);
  return rows.map(({ line }) => line);
}
