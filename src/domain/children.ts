import type { QueryResultRow } from 'pg';
import { columns } from '../db/columns.ts';
import { rows } from '../db/pool.ts';
import type { Call } from '../process/services.ts';

/** The rows of one parent: the latest, or those before the number `before`. */
export interface ChildrenOf {
  readonly id: string;
  readonly before: number | null;
}

/** An answer has at most this many rows of one parent. Earlier ones are asked for by number. */
export const mostChildren = 100;

/**
 * What a statement found for several keys at once, in the order of the keys. In each row `asked` is the place
 * of its key, from 1, as WITH ORDINALITY counts.
 */
export function inAskedOrder<Row extends { readonly asked: number }>(
  found: readonly Row[],
  asked: readonly unknown[],
): Row[][] {
  const byPlace = Map.groupBy(found, (row) => row.asked);
  return asked.map((_key, place) => byPlace.get(place + 1) ?? []);
}

/** Reads the numbered rows of some parents, at most a hundred of each, in their order. */
export type ReadChildren<Row> = (
  call: Call,
  asked: readonly ChildrenOf[],
) => Promise<readonly (readonly Row[])[]>;

/**
 * Makes the reader of a table whose rows are numbered within a parent, such as the history of a payee or
 * the attempts of a delivery. They grow without a limit, so no answer has all of them.
 * @param children.fields the model's `…ScalarFieldEnum` of the generated client
 * @param children.parent the column that names the parent
 * @param children.number the column and field of the number
 */
export function childrenReader<Row extends QueryResultRow>(children: {
  readonly name: string;
  readonly table: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly parent: string;
  readonly number: 'seq' | 'number' | 'version';
}): ReadChildren<Row> {
  const { name, table, fields, parent, number } = children;
  const statement = {
    name,
    text: `
      SELECT g.asked::integer AS asked, l.*
      FROM unnest($2::text[], $3::integer[]) WITH ORDINALITY AS g(id, before, asked)
      CROSS JOIN LATERAL (
        SELECT ${columns(fields, 'c')} FROM ${table} c
        WHERE c.tenant_id = $1 AND c.${parent} = g.id AND c.${number} < coalesce(g.before, 2147483647)
        ORDER BY c.${number} DESC LIMIT ${mostChildren}
      ) l
      ORDER BY g.asked, l."${number}"`,
  };
  return async ({ scope, services }, asked) => {
    const found = await rows<Row & { readonly asked: number }>(services.pool, statement, [
      scope.tenantId,
      asked.map(({ id }) => id),
      asked.map(({ before }) => before),
    ]);
    return inAskedOrder(found, asked);
  };
}
