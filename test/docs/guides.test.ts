import { expect, test } from 'vitest';
import { endings } from '../../simulator/plan.ts';
import { payoutStates } from '../../src/domain/payout/machine.ts';
import { simulatedEvents } from '../../src/values/simulated-event.ts';
import { readPage } from './links.ts';

test('the guide to a payout explains each state once', () => {
  const rows = [...readPage('docs/guides/payouts.md').matchAll(/^\| `(\w+)` +\|/gm)];
  expect(rows).toHaveLength(payoutStates.length);
  expect(new Set(rows.map(([, state]) => state))).toEqual(new Set(payoutStates));
});

test('the guide to the sandbox has each ending and each event that can be simulated', () => {
  const page = readPage('docs/guides/sandbox.md');
  const shown = [...page.matchAll(/^\| `(\d{4})` +\|/gm)].map(([, ending]) => ending);
  expect(shown).toEqual(Object.values(endings));
  expect(simulatedEvents.filter((event) => !page.includes(`\`${event}\``))).toEqual([]);
});
