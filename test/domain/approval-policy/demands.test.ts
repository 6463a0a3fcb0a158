import { expect, it } from 'vitest';
import {
  rulesInput,
  type Rule,
  type RulesInput,
} from '../../../src/domain/approval-policy/rules.ts';
import { referenceVerdict, type Facts, type Verdict } from '../../support/approval-reference.ts';
import { useCalls } from '../../support/calls.ts';
import { randomFrom } from '../../support/random.ts';
import { pickers, randomFacts, randomRules } from '../../support/random-policy.ts';

const parts = useCalls();

interface Case {
  readonly rules: readonly Rule[];
  readonly facts: Facts;
  readonly distinct: boolean;
}

/** What the database demands in each case, in their order. */
async function judged(cases: readonly Case[]): Promise<Verdict[]> {
  const { rows } = await parts.database.pool.query<{ verdict: Verdict }>(
    `SELECT command.approval_demands(c.value -> 'rules', c.value -> 'facts', (c.value ->> 'distinct')::boolean) AS verdict
     FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY c ORDER BY c.ordinality`,
    [JSON.stringify(cases)],
  );
  return rows.map(({ verdict }) => verdict);
}

const seed = Math.floor(Math.random() * 2 ** 31);

it(`demands what the words promise, of ten thousand policies and payouts (seed ${seed})`, async () => {
  const pick = pickers(randomFrom(seed));
  const seen = new Map<string, number>();
  for (let round = 0; round < 20; round += 1) {
    const cases = Array.from({ length: 500 }, () => ({
      rules: randomRules(pick),
      facts: randomFacts(pick),
      distinct: pick.maybe(0.2),
    }));
    const expected = cases.map(({ rules, facts, distinct }) =>
      referenceVerdict(rules, facts, distinct),
    );
    expect(await judged(cases)).toEqual(expected);
    for (const { effect } of expected) seen.set(effect, (seen.get(effect) ?? 0) + 1);
  }
  // Each outcome is met often, or the comparison would say little.
  for (const effect of ['block', 'pass', 'require']) expect(seen.get(effect)).toBeGreaterThan(300);
});

const facts: Facts = {
  amountMinor: 500_000,
  currency: 'EUR',
  purpose: 'payroll',
  payeeType: 'person',
  payeeCountry: 'DE',
  payeeSeconds: 0,
  accountSeconds: 0,
  origin: 'console',
  provider: 'simulator',
  nameCheck: null,
  metadata: null,
  sums: {},
};
const bandsOf = (from: number, below?: number) => [{ currency: 'EUR', from, below }];
const need = (approvals: number, from: number, below?: number): RulesInput[number] => ({
  name: `${approvals} from ${from}`,
  when: { amount: bandsOf(from, below) },
  effect: 'require',
  steps: [{ approvals, groups: ['approver'] }],
});
const twoBands = rulesInput.parse([need(1, 0, 500_000), need(2, 500_000)]);

it.each([
  [499_999, 'EUR', [1]],
  [500_000, 'EUR', [2]],
  [5, 'USD', [1, 2]],
])('puts %i %s into the bands of %j approvals', async (amountMinor, currency, approvals) => {
  const [verdict] = await judged([
    { rules: twoBands, facts: { ...facts, amountMinor, currency }, distinct: false },
  ]);
  expect(verdict?.demands.map((demand) => demand.approvals)).toEqual(approvals);
});

it('lets nothing pass in a currency without a band', async () => {
  const rules = rulesInput.parse([
    { name: 'small', when: { amount: bandsOf(0, 100) }, effect: 'pass' },
  ]);
  const small = { ...facts, amountMinor: 50 };
  const verdicts = await judged([
    { rules, facts: small, distinct: false },
    { rules, facts: { ...small, currency: 'USD' }, distinct: false },
    { rules, facts: small, distinct: true },
  ]);
  expect(verdicts.map(({ effect }) => effect)).toEqual(['pass', 'require', 'require']);
});

it.each<[string, unknown]>([
  ['an unknown condition', [{ name: 'a', when: { weekday: 1 }, effect: 'pass' }]],
  ['a band that ends before it begins', [need(1, 100, 100)]],
  [
    'a currency twice',
    [{ name: 'a', when: { amount: [...bandsOf(0), ...bandsOf(5)] }, effect: 'pass' }],
  ],
  ['a block without a reason', [{ name: 'a', when: {}, effect: 'block' }]],
  [
    'a person in the place of a group',
    [{ name: 'a', when: {}, effect: 'require', steps: [{ approvals: 1, groups: ['usr_1'] }] }],
  ],
  [
    'an escalation to nobody',
    [
      {
        name: 'a',
        when: {},
        effect: 'require',
        steps: [{ approvals: 1, groups: ['owner'], escalateAfterHours: 5 }],
      },
    ],
  ],
  ['more than a hundred rules', Array.from({ length: 101 }, () => need(1, 0))],
])('refuses %s', (_what, rules) => {
  expect(rulesInput.safeParse(rules).success).toBe(false);
});
