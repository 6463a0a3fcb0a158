import type { ClientBase } from 'pg';
import { escapeIdentifier } from 'pg';
import { acrossRole, acrossSchema } from './across.ts';
import { tenantSetting } from './tenant.ts';

/** The policy that every tenant table has for the service. */
const tenantPolicy = 'tenant';

/**
 * The row security of the tenant tables that lack it: those whose primary key begins with the tenant. The
 * service sees the rows of the tenant that its transaction is for, and none without one. The owner of the
 * tables is not bound, nor are views and functions with the owner's rights, and foreign keys.
 *
 * The planner joins this condition with the one of a statement: it compares the two tenants once, before it
 * reads anything, and estimates as without the policy.
 *
 * A cluster of Citus has none: its nodes are not told the tenant of a statement that is no command.
 */
const tenantPolicies = (service: string): string => `
  DO $$
  DECLARE
    lacking record;
  BEGIN
    FOR lacking IN
      SELECT c.oid::regclass AS name, c.relrowsecurity AS secured, EXISTS (
        SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = '${tenantPolicy}'
      ) AS has_policy
      FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] AND a.attname = 'tenant_id'
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
        AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')
    LOOP
      IF NOT lacking.has_policy THEN
        EXECUTE format(
          'CREATE POLICY ${tenantPolicy} ON %s TO ${service} USING (tenant_id = current_setting(''${tenantSetting}'', true))',
          lacking.name
        );
      END IF;
      IF NOT lacking.secured THEN
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', lacking.name);
      END IF;
    END LOOP;
  END $$`;

/**
 * The rights of the role that owns the views across tenants: to read exactly what they show. Whatever it had
 * before is withdrawn first.
 */
const acrossRights = `
  DO $$
  DECLARE
    read record;
  BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${acrossRole}') THEN
      BEGIN
        CREATE ROLE ${acrossRole} NOLOGIN;
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END;
    END IF;
    REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${acrossRole};
    GRANT USAGE ON SCHEMA public TO ${acrossRole};
    FOR read IN
      SELECT t.oid::regclass AS name, string_agg(DISTINCT quote_ident(a.attname), ', ') AS columns, bool_or(t.relrowsecurity) AND NOT EXISTS (
        SELECT FROM pg_policy p WHERE p.polrelid = t.oid AND p.polname = '${acrossRole}'
      ) AS closed
      FROM pg_class v JOIN pg_rewrite r ON r.ev_class = v.oid
      JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass
      JOIN pg_class t ON t.oid = d.refobjid AND t.oid <> v.oid
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid
      WHERE v.relnamespace = to_regnamespace('${acrossSchema}') AND v.relkind = 'v'
      GROUP BY t.oid
    LOOP
      EXECUTE format('GRANT SELECT (%s) ON %s TO ${acrossRole}', read.columns, read.name);
      IF read.closed THEN
        EXECUTE format('CREATE POLICY ${acrossRole} ON %s FOR SELECT TO ${acrossRole} USING (true)', read.name);
      END IF;
    END LOOP;
  END $$`;

/**
 * Closes the tenant tables to statements that name no tenant, new tables too, and lets the views across
 * tenants through. Part of the transaction that grants the service its rights (roles.ts).
 */
export async function raiseWall(client: ClientBase, service: string): Promise<void> {
  await client.query(tenantPolicies(service));
  await client.query(acrossRights);
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = to_regnamespace($1) AND c.relkind = 'v' AND pg_get_userbyid(c.relowner) <> $2`,
    [acrossSchema, acrossRole],
  );
  if (rows.length === 0) return;
  await client.query(handOver(rows.map(({ name }) => name)));
}

/**
 * A role that may make roles may make itself a member of one that it made. Where another role made it, the
 * views stay the migrating role's: they show the same columns.
 */
const handOver = (views: readonly string[]): string => `
  DO $$ BEGIN
    IF NOT pg_has_role('${acrossRole}', 'MEMBER') THEN
      GRANT ${acrossRole} TO CURRENT_USER;
    END IF;
    GRANT USAGE, CREATE ON SCHEMA ${acrossSchema} TO ${acrossRole};
    ${views.map((view) => `ALTER VIEW ${acrossSchema}.${escapeIdentifier(view)} OWNER TO ${acrossRole};`).join('\n    ')}
    REVOKE CREATE ON SCHEMA ${acrossSchema} FROM ${acrossRole};
  EXCEPTION WHEN insufficient_privilege THEN NULL;
  END $$`;
