import { expect, test } from 'vitest';
import { summaryWords } from '../../console/src/pages/payout/summary.ts';
import { ledgerAccounts, ledgerKinds } from '../../src/domain/ledger/names.ts';

const raw = /in_transit|funds →|\b(?:hold|release|disburse|settle|withdrawal)\b/;

test.each(ledgerKinds)('an entry of the books of kind %s is told in words', (kind) => {
  for (const debit of ledgerAccounts) {
    for (const credit of ledgerAccounts) {
      const said = summaryWords('ledger_entry', `${kind}, ${debit} → ${credit}`);
      expect(said).toMatch(/^[A-Z]/);
      expect(said).not.toMatch(raw);
    }
  }
});

test('an entry says where the money comes from, and then where it goes', () => {
  expect(summaryWords('ledger_entry', 'disburse, in_transit → funds')).toBe(
    'Disbursed: from your funds to in transit',
  );
  expect(summaryWords('ledger_entry', 'settle, paid → in_transit')).toBe(
    'Settled: from in transit to paid',
  );
});

test('in a sandbox, where nothing is drawn down, the money is that of the sandbox', () => {
  expect(summaryWords('ledger_entry', 'disburse, in_transit → external')).toBe(
    'Disbursed: from sandbox funds to in transit',
  );
});

test('a reservation moves nothing, and says so', () => {
  expect(summaryWords('ledger_entry', 'hold, in_transit → funds')).toBe('Held');
  expect(summaryWords('ledger_entry', 'release, in_transit → external')).toBe('Released');
});

test('a state is named, and what else stands behind it stays as it is', () => {
  expect(summaryWords('transition', 'new → pending_approval, by hand')).toBe(
    'New → Awaiting approval, by hand',
  );
  expect(summaryWords('event', 'payout.settled')).toBe('payout.settled');
});
