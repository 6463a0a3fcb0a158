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
    'Sent: from your funds to money in transit',
  );
  expect(summaryWords('ledger_entry', 'settle, paid → in_transit')).toBe(
    'Arrived: from money in transit to money that arrived',
  );
});

test('in a sandbox, where nothing is drawn down, the money is that of the sandbox', () => {
  expect(summaryWords('ledger_entry', 'disburse, in_transit → external')).toBe(
    'Sent: from sandbox money to money in transit',
  );
});

test('a reservation moves nothing, and says so', () => {
  expect(summaryWords('ledger_entry', 'hold, in_transit → funds')).toBe('Reserved');
  expect(summaryWords('ledger_entry', 'release, in_transit → external')).toBe('No longer reserved');
});

test('a state is named, and what else stands behind it stays as it is', () => {
  expect(summaryWords('transition', 'new → pending_approval, by hand')).toBe(
    'New → Waits for approval, by hand',
  );
  expect(summaryWords('event', 'payout.settled')).toBe('payout.settled');
});
