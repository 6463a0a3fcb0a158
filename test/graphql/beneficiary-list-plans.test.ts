import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTestMs } from '../support/patience.ts';
import { recordStatements, rowsLookedAt } from '../support/plans.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const total = 30_000;
const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
const recording = recordStatements((text) => /\bFROM beneficiary b\b/.test(text));

/** One in a thousand is suspended, and half are archived: those that come last of all are. */
beforeAll(async () => {
  const { pool } = harness.database;
  await pool.query(
    `INSERT INTO beneficiary (tenant_id, id, beneficiary_type, email, email_key, compliance_status, status_before_suspension,
       transition_count, archived_at)
     SELECT $1, 'ben_' || lpad(n::text, 26, '0'), 'person', n::text, n::text,
       CASE WHEN n % 1000 = 1 THEN 'suspended' ELSE 'compliant' END, CASE WHEN n % 1000 = 1 THEN 'compliant' END, 1,
       CASE WHEN n > ${total / 2} THEN now() END
     FROM generate_series(1, ${total}) AS n`,
    [tenant.tenantId],
  );
  await pool.query('VACUUM ANALYZE beneficiary');
}, longTestMs);
afterAll(recording.stop);

test.each([
  ['all', '', 25, 10_000, false],
  ['a rare status', 'filter: { complianceStatus: suspended }', 15, 15, true],
  ['a status that none has', 'filter: { complianceStatus: pending }', 0, 0, true],
  ['a type that none has', 'filter: { beneficiaryType: business }', 0, 0, true],
  ['an enrollment that none has', 'filter: { enrollmentStatus: rejected }', 0, 0, true],
  [
    'every choice',
    'filter: { complianceStatus: suspended, beneficiaryType: person, enrollmentStatus: verified }',
    0,
    0,
    true,
  ],
])('%s: a page looks at few beneficiaries', async (_name, filter, rows, count, exact) => {
  for (const [size, direction] of [
    ['first', 1],
    ['last', -1],
  ] as const) {
    recording.sent.length = 0;
    const query = `{ beneficiaries(${size}: 25 ${filter}) { totalCount totalCountIsExact edges { node { id } } } }`;
    const { body, text } = await harness.graphql(tenant.key, query);
    expect(body.errors, text).toBeUndefined();
    const { edges, totalCount, totalCountIsExact } = body.data.beneficiaries;
    expect({ totalCount, totalCountIsExact }).toEqual({
      totalCount: count,
      totalCountIsExact: exact,
    });
    const ids = edges.map(({ node }: { node: { id: string } }) => node.id);
    expect(ids).toHaveLength(rows);
    expect(ids).toEqual(ids.toSorted().toReversed());
    if (rows === 25) expect(ids[0]).toContain(direction === 1 ? String(total / 2) : '25');
    const statements = [...recording.sent];
    expect(statements).toHaveLength(2);
    for (const statement of statements) {
      const counts = statement.text.includes('count(*)');
      const looked = await rowsLookedAt(harness.database.pool, statement, !counts);
      expect(Math.max(...looked)).toBeLessThan(counts ? 10_100 : 200);
    }
  }
});
