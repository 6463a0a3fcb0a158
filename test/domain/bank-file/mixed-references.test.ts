import { expect, it } from 'vitest';
import { statement, statusReport } from '../../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../../support/bank-inbox.ts';

/* Answers that have a reference of one payment and a reference of another one. */

const world = useBankInbox();
const { sent, take, stateOf } = world;

/** Whether a person has to look, and whether the payout may be replaced. */
const calls = async ({ payout }: Sent) =>
  (
    await world.sql(
      `SELECT a.needs_operator AS waits, ops.is_contradicted(p.tenant_id, p.id) AS contradicted
       FROM payout p JOIN disbursement_attempt a ON a.tenant_id = p.tenant_id AND a.payout_id = p.id
       WHERE p.id = $1`,
      [payout],
    )
  )[0];

it.each(['RJCT', 'CANC', 'ACSC'])(
  'a status %s with the references of two payments moves neither, and calls a person for both',
  async (status) => {
    const [one, other, third] = (await sent(3)) as [Sent, Sent, Sent];
    const payments = [
      { payout: one.payout, attempt: other.attempt, status },
      { payout: third.payout, attempt: third.attempt, status: 'RJCT', reason: 'AC04' },
    ];
    await take(statusReport({ message: one.message, group: 'PART', payments }));
    for (const payment of [one, other]) {
      expect(await stateOf(payment.payout)).toBe('approved');
      expect(await calls(payment)).toEqual({ waits: true, contradicted: true });
    }
    expect(await stateOf(third.payout)).toBe('failed');
    expect(await calls(third)).toEqual({ waits: false, contradicted: false });
  },
);

it('a debit with the references of two payments is nobody’s until a person says whose, and blocks both', async () => {
  const [one, other] = (await sent(2)) as [Sent, Sent];
  const mixed = {
    direction: 'debit',
    amount: '1250.00',
    payout: one.payout,
    attempt: other.attempt,
  } as const;
  const account = { account: '000123456789', currency: 'USD', day: '2026-11-24' };
  await take(statement({ ...account, movements: [mixed] }));
  expect(await world.lines()).toMatchObject([{ match: 'unmatched', doubt: 'several_attempts' }]);
  for (const { payout } of [one, other]) expect(await stateOf(payout)).toBe('approved');
  // Money of one of them moved, so a refusal of either calls a person.
  await take(statusReport({ message: one.message, group: 'RJCT', reason: 'FF01' }));
  for (const payment of [one, other]) {
    expect(await calls(payment)).toEqual({ waits: true, contradicted: true });
  }
});
