import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { env } from '../config.ts';

/**
 * One key sends as much of one kind of heavy request as it can for a time, from a number of
 * connections; who is refused tries again after a moment. Prints how many were answered, refused and
 * failed.
 */
const connections = Number(env('CONNECTIONS'));
const end = performance.now() + Number(env('MILLISECONDS'));
const payout = JSON.parse(env('BODY')) as Record<string, unknown>;
const dispatcher = new Agent({ connections, pipelining: 1 });
const authorization = `Bearer ${env('KEY')}`;
const counts = { answered: 0, refused: 0, failed: 0 };

const rows = Array.from({ length: Number(env('ROWS')) }, (_, i) => i);
const payouts = (): string =>
  JSON.stringify({ payouts: rows.map(() => ({ ...payout, idempotency_key: randomUUID() })) });
const invites = (): string =>
  JSON.stringify({
    rows: rows.map(() => ({
      email: `${randomUUID()}@example.com`,
      beneficiary_type: 'person',
      first_name: 'Ada',
      last_name: 'Lovelace',
    })),
  });
const aliases = Array.from(
  { length: 2 },
  (_, i) => `l${i}: payouts(first: 20) { edges { node {
    id state amountMinor transitions { toState fromState } decisions(first: 5) { edges { node { status } } } permittedActions } } }`,
);

interface Attack {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: () => string | null;
}

const attacks: Record<string, Attack> = {
  bulks: { method: 'POST', path: '/v1/payouts/bulk', body: payouts },
  invites: { method: 'POST', path: '/v1/beneficiaries/bulk-invites', body: invites },
  graphql: {
    method: 'POST',
    path: '/graphql',
    body: () => JSON.stringify({ query: `{ ${aliases.join(' ')} }` }),
  },
  refused: {
    method: 'POST',
    path: '/graphql',
    body: () => JSON.stringify({ query: '{ payouts { unknown } }' }),
  },
  lists: { method: 'GET', path: '/v1/payouts?limit=100', body: () => null },
};

const attack = attacks[env('ATTACK')];
if (attack === undefined) throw new Error(`one of: ${Object.keys(attacks).join(', ')}`);
const { method, path, body } = attack;

/** Milliseconds that one who was refused waits: much less than it was told to. */
const pauseMs = 500;

async function client(): Promise<void> {
  let content = body();
  while (performance.now() < end) {
    const answer = await request(env('BASE_URL') + path, {
      method,
      dispatcher,
      headers: { authorization, 'content-type': 'application/json' },
      body: content,
    });
    await answer.body.dump();
    if (answer.statusCode < 300) counts.answered += 1;
    else if (answer.statusCode === 429) counts.refused += 1;
    else counts.failed += 1;
    // Making a body costs the attacker's machine time, which is this machine here.
    if (answer.statusCode < 300) content = body();
    if (answer.statusCode === 429) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

await Promise.all(Array.from({ length: connections }, client));
await dispatcher.close();
process.stdout.write(JSON.stringify(counts));
