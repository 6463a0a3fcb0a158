import { expect, it } from 'vitest';
import { statusReport } from '../../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../../support/bank-inbox.ts';

const world = useBankInbox();
const { sent, take, stateOf } = world;

const checks = () =>
  world.sql(
    `SELECT n.attempt_id AS attempt, n.version, n.result, n.code, n.source LIKE 'bank%' AS "byBank" FROM name_check n
     ORDER BY n.code`,
  );

const told = (attempt: string, result: string, code: string) => ({
  attempt,
  version: 1,
  result,
  code,
  byBank: true,
});

it('keeps what a bank says of names on the versions that are paid, and refuses nothing for it', async () => {
  const all = await sent(4);
  const [match, close, other, silent] = all as [Sent, Sent, Sent, Sent];
  const payments = [
    { ...match, status: 'RCVC' },
    { ...close, status: 'RVMC' },
    { ...other, status: 'RVNM' },
  ];
  const file = statusReport({ message: match.message, group: 'RVCM', payments });
  await take(file);
  const found = [
    told(match.attempt, 'match', 'RCVC'),
    told(silent.attempt, 'not_possible', 'RVCM'),
    told(close.attempt, 'close_match', 'RVMC'),
    told(other.attempt, 'no_match', 'RVNM'),
  ];
  expect(await checks()).toEqual(found);
  for (const { payout } of all) expect(await stateOf(payout)).toBe('approved');
  // What comes after goes on as if nobody had been asked.
  await take(statusReport({ message: match.message, group: 'ACSC' }));
  expect(await checks()).toEqual(found);
});

it('says nothing new when the same comes again', async () => {
  const [one] = (await sent(1)) as [Sent];
  const report = (group: string) =>
    statusReport({ message: one.message, group, payments: [{ ...one, status: 'RVNM' }] });
  await take(report('RVCM'));
  const [account] = await world.sql<{ id: string }>(
    `UPDATE bank_account SET name_check_confirmed_at = now()
     WHERE id = (SELECT bank_account_id FROM payout WHERE id = $1) RETURNING id`,
    [one.payout],
  );
  await take(report('RVNC'));
  expect(await checks()).toEqual([told(one.attempt, 'no_match', 'RVNM')]);
  const after = await world.sql(
    `SELECT name_check AS result, name_check_confirmed_at IS NOT NULL AS confirmed FROM bank_account WHERE id = $1`,
    [account?.id],
  );
  expect(after).toEqual([{ result: 'no_match', confirmed: true }]);
});
