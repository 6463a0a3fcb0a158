import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { texts } from '../../console/src/texts/texts.ts';

test('each reason for which a payout makes no progress has its next step in words', () => {
  const sql = readFileSync('prisma/repeatable/50-stuck-payouts.sql', 'utf8');
  const reasons = [...sql.matchAll(/^ {4}\('(\w+)',/gm)].map(([, reason]) => reason);
  expect(reasons.length).toBeGreaterThan(20);
  expect(new Set(Object.keys(texts.operatorPayout.standstill.nextSteps))).toEqual(new Set(reasons));
});
