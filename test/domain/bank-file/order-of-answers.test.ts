import { expect, it } from 'vitest';
import { achFile, statement, statusReport, type Movement } from '../../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../../support/bank-inbox.ts';
import { longTestMs } from '../../support/patience.ts';

/*
 * Everything that a bank can say of one payment, in every order. The table is written by hand and knows nothing of the
 * code: a payout may be replaced only where nothing said that money moved, or where the money came back and nothing
 * said that the payment was refused. A debit of a batch that is booked as one is the debit of each of its payments.
 */

const world = useBankInbox();
const { take } = world;

type Kind = 'executed' | 'refused' | 'debit' | 'credit' | 'ach';

const answers = {
  ACSC: 'executed',
  ACCC: 'executed',
  'group ACSC': 'executed',
  RJCT: 'refused',
  CANC: 'refused',
  'group RJCT': 'refused',
  debit: 'debit',
  'batch debit': 'debit',
  credit: 'credit',
  reversal: 'credit',
  R03: 'ach',
} as const satisfies Record<string, Kind>;
type Answer = keyof typeof answers;
const all = Object.keys(answers) as Answer[];

/** `person`: somebody has to examine it. `desk`: it waits as a movement that says nothing by itself. */
type End = 'approved' | 'disbursed' | 'failed' | 'returned' | 'person' | 'desk';
const replaceable: readonly End[] = ['failed', 'returned'];

/** What the answers of some kinds come to, in whatever order and number. */
const table: Record<string, End> = {
  executed: 'approved',
  refused: 'failed',
  debit: 'disbursed',
  credit: 'desk',
  ach: 'returned',
  'executed refused': 'person',
  'debit executed': 'disbursed',
  'credit executed': 'desk',
  'ach executed': 'returned',
  'debit refused': 'person',
  'credit refused': 'person',
  'ach refused': 'person',
  'credit debit': 'returned',
  'ach debit': 'returned',
  'ach credit': 'returned',
  'debit executed refused': 'person',
  'credit executed refused': 'person',
  'ach executed refused': 'person',
  'credit debit executed': 'returned',
  'ach debit executed': 'returned',
  'ach credit executed': 'returned',
  'credit debit refused': 'person',
  'ach debit refused': 'person',
  'ach credit refused': 'person',
  'ach credit debit': 'returned',
};
const endOf = (told: readonly Answer[]): End => {
  const kinds = [...new Set(told.map((answer) => answers[answer]))].toSorted().join(' ');
  const end = table[kinds];
  if (end === undefined) throw new Error(`the table lacks ${kinds}`);
  return end;
};

const isGroup = (answer: Answer): boolean => answer.startsWith('group');
const ofBatch = 'batch debit';
const isStatus = (answer: Answer): boolean => ['executed', 'refused'].includes(answers[answer]);
const isMovement = (answer: Answer): boolean => ['debit', 'credit'].includes(answers[answer]);

/** A payment, and what the bank says of it. */
interface Case extends Sent {
  readonly told: readonly Answer[];
}

/**
 * What the words of one file have in common: what is said of it as a whole. Of one that the bank books as one, also what
 * is refused, since the bank takes no payments together of which it refused some.
 */
const sharedBy = (word: readonly Answer[]): string =>
  word
    .map((answer) => {
      if (isGroup(answer) || answer === ofBatch) return answer;
      return word.includes(ofBatch) && answers[answer] === 'refused' ? 'refused' : '';
    })
    .join();

/** Payments for these words, each file of which shares what is said of it as a whole. */
async function casesOf(words: readonly (readonly Answer[])[]): Promise<Case[][]> {
  const shared = Map.groupBy(words, sharedBy);
  const batches: Case[][] = [];
  for (const alike of shared.values()) {
    for (let at = 0; at < alike.length; at += 8) {
      await Promise.all(alike.slice(at, at + 8).map(() => world.waiting()));
    }
    const sent = await world.sent(0);
    expect(sent).toHaveLength(alike.length);
    batches.push(sent.map((one, index) => ({ ...one, told: alike[index] ?? [] })));
  }
  return batches;
}

function movementOf({ payout, attempt }: Sent, answer: Answer): Movement {
  const named = { amount: '1250.00', payout, attempt, reference: `${answer} ${payout.slice(-12)}` };
  if (answer === 'debit') return { ...named, direction: 'debit' };
  const back = { ...named, direction: 'credit', day: '2026-12-02' } as const;
  return answer === 'reversal' ? { ...back, reversal: true } : { ...back, returned: 'AC04' };
}

/** The movements of one file: the line of a batch that is booked as one stands where the words have it. */
function movementsOf(cases: readonly Case[], next: (one: Case) => readonly Answer[]): Movement[] {
  const single = cases.flatMap((one) =>
    next(one)
      .filter((answer) => isMovement(answer) && answer !== ofBatch)
      .map((answer) => movementOf(one, answer)),
  );
  const place = cases.map((one) => next(one).indexOf(ofBatch)).find((at) => at >= 0);
  if (place === undefined) return single;
  const batch = { message: cases[0]?.message ?? '', count: cases.length };
  const whole: Movement = { direction: 'debit', amount: `${cases.length * 1_250}.00`, batch };
  return place === 0 ? [whole, ...single] : [...single, whole];
}

/** What the bank says next of all payments, as few files as can hold it. */
async function say(
  id: string,
  batches: readonly (readonly Case[])[],
  next: (one: Case) => readonly Answer[],
) {
  for (const cases of batches) {
    const payments = cases.flatMap((one) =>
      next(one)
        .filter((answer) => isStatus(answer) && !isGroup(answer))
        .map((status) => ({ payout: one.payout, attempt: one.attempt, status })),
    );
    const group = cases.flatMap(next).find(isGroup)?.replace('group ', '');
    if (group === undefined && payments.length === 0) continue;
    await take(
      statusReport({
        id,
        message: cases[0]?.message ?? '',
        group: group ?? 'PART',
        payments,
      }),
    );
  }
  const told = batches.flat().flatMap((one) => next(one).map((answer) => ({ one, answer })));
  const movements = batches.flatMap((cases) => movementsOf(cases, next));
  if (movements.length > 0) {
    const account = { account: '000123456789', currency: 'USD', day: '2026-11-30' };
    await take(statement({ ...account, id, movements }));
  }
  const back = told.filter(({ answer }) => answer === 'R03');
  if (back.length > 0) {
    await take(
      achFile(back.map(({ one }) => ({ trace: one.trace ?? '', code: 'R03', cents: 125_000 }))),
    );
  }
}

interface Stand {
  readonly id: string;
  readonly state: string;
  readonly contradicted: boolean;
  readonly waits: boolean;
  readonly desk: boolean;
}

async function stands(): Promise<ReadonlyMap<string, Stand>> {
  const found = await world.sql<Stand & Record<string, unknown>>(
    `SELECT p.id, p.state, ops.is_contradicted(p.tenant_id, p.id) AS contradicted, a.needs_operator AS waits,
       EXISTS (SELECT 1 FROM bank_line l WHERE l.named_attempt = a.id AND l.match = 'unmatched') AS desk
     FROM payout p JOIN disbursement_attempt a ON a.tenant_id = p.tenant_id AND a.payout_id = p.id`,
  );
  return new Map(found.map((stand) => [stand.id, stand]));
}

/** What a payout came to, in the words of the table. */
function cameTo({ state, contradicted, waits, desk }: Stand): string {
  if (contradicted) return waits ? 'person' : 'contradicted, and nobody is called';
  return state === 'approved' && desk ? 'desk' : state;
}

/** Three different ones of these answers, in every order. */
const threeOf = (among: readonly Answer[]): (readonly Answer[])[] =>
  among.flatMap((one) =>
    among.flatMap((two) =>
      among.flatMap((three) =>
        new Set([one, two, three]).size === 3 ? [[one, two, three] as const] : [],
      ),
    ),
  );

it.each([
  ['', threeOf(all.filter((answer) => answer !== ofBatch))],
  // A bank takes 36 Nacha files a day, so these words lack one of the two ways in which a file is answered as a whole.
  [
    ', one of them about a batch that is booked as one',
    threeOf(all.filter((answer) => answer !== 'group ACSC')).filter((word) =>
      word.includes(ofBatch),
    ),
  ],
])(
  'is never replaceable while anything said that money moved: three answers over several files%s, in every order',
  { timeout: longTestMs },
  async (_which, words) => {
    const batches = await casesOf(words);
    for (const at of [0, 1, 2]) {
      await say(`step ${at}`, batches, ({ told }) => told.slice(at, at + 1));
      const found = await stands();
      const wrong = batches.flat().flatMap(({ payout, told }) => {
        const heard = told.slice(0, at + 1);
        const stand = found.get(payout);
        const came = stand === undefined ? 'nothing' : cameTo(stand);
        return came === endOf(heard) ? [] : [`${heard.join(', ')}: ${came}, not ${endOf(heard)}`];
      });
      expect(wrong).toEqual([]);
    }
  },
);

it(
  'is never replaceable while anything said that money moved: answers in one file, in every order',
  { timeout: longTestMs },
  async () => {
    const together = [all.filter(isMovement), all.filter(isStatus)];
    const pairs = together.flatMap((kind) => kind.flatMap((one) => kind.map((two) => [one, two])));
    const triples = together.flatMap((kind) =>
      kind.flatMap((one) => kind.flatMap((two) => kind.map((three) => [one, two, three]))),
    );
    const words = [...pairs, ...triples].filter(
      (word) => new Set(word).size === word.length && word.filter(isGroup).length < 2,
    );
    const sorted = words.map((word) =>
      word.toSorted((a, b) => Number(isGroup(b)) - Number(isGroup(a))),
    );
    const batches = await casesOf(sorted);
    await say('one', batches, ({ told }) => told);
    const found = await stands();
    for (const { payout, told } of batches.flat()) {
      const stand = found.get(payout);
      const came = stand === undefined ? 'nothing' : cameTo(stand);
      const end = endOf(told);
      const words = told.join(', ');
      // Two statuses of one file that differ call a person even where both are refusals.
      if (replaceable.includes(end)) expect([end, 'person'], words).toContain(came);
      else expect(`${words}: ${came}`).toBe(`${words}: ${end}`);
    }
  },
);
