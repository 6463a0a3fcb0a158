import pg from 'pg';
import { makeScope } from '../../../src/access/scope.ts';
import { moveWithDecision } from '../../../src/domain/payout/transition.ts';
import { newUlid } from '../../../src/values/ulid.ts';
import { env } from '../config.ts';

/** Sends the command of an approval from a number of connections; prints the rate. */
const connections = Number(env('CONNECTIONS'));
const ids = JSON.parse(env('IDS')) as string[];
const count = ids.length;
const pool = new pg.Pool({ connectionString: env('DATABASE_URL'), max: connections });
const scope = makeScope({
  tenantId: env('TENANT'),
  businessId: '',
  environment: 'sandbox',
  actor: { type: 'system', name: 'bench' },
});

async function approve(payoutId: string): Promise<void> {
  const moved = await moveWithDecision(
    pool,
    scope,
    payoutId,
    { trigger: 'approve' },
    {
      decisionId: newUlid(),
      requestHash: Buffer.alloc(32),
      status: 'approved',
      reasons: [],
      evaluatedBy: {},
      submittedBy: { type: 'system', name: 'bench' },
      evaluatedAt: null,
      policyVersion: null,
      agentVersion: null,
      confidence: null,
    },
  );
  if (moved === null) throw new Error(`${payoutId} was not moved`);
}

async function client(): Promise<void> {
  for (let id = ids.pop(); id !== undefined; id = ids.pop()) await approve(id);
}

const started = performance.now();
await Promise.all(Array.from({ length: connections }, client));
const rate = (count * 1_000) / (performance.now() - started);
await pool.end();
process.stdout.write(JSON.stringify({ rate }));
