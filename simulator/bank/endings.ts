import type { Order } from './model.ts';

/**
 * The last four characters of the payee's account choose what the bank does. Orders by pain.001 and by Nacha differ,
 * as their banks do: a Nacha order is refused by nobody, but comes back.
 */
interface Plan {
  /** Refused before the debit, with this code. */
  readonly refused: string | null;
  readonly held: boolean;
  readonly returned: { readonly reason: string; readonly afterDays: number } | null;
  /** The code of a notification of change, and the digits that it says. */
  readonly change: { readonly code: string; readonly data: string } | null;
}

const usual: Plan = { refused: null, held: false, returned: null, change: null };
const refused = (code: string): Plan => ({ ...usual, refused: code });
const returned = (reason: string, afterDays = 0): Plan => ({
  ...usual,
  returned: { reason, afterDays },
});

/** How many days of the bank pass before a late return. */
const lateDays = 10;

/** The account number that a notification of change says. */
const correctedAccount = '99887766';

interface Rails {
  readonly iso20022: Plan;
  readonly nacha: Plan;
}

const plans: ReadonlyMap<string, Rails> = new Map([
  ['0001', { iso20022: refused('AC01'), nacha: returned('R03') }],
  ['0002', { iso20022: returned('AC04'), nacha: returned('R02') }],
  ['0003', { iso20022: refused('AM04'), nacha: returned('R06') }],
  ['0004', { iso20022: refused('AG01'), nacha: returned('R16') }],
  ['0005', { iso20022: { ...usual, held: true }, nacha: { ...usual, held: true } }],
  [
    '0006',
    {
      iso20022: usual,
      nacha: { ...usual, change: { code: 'C01', data: correctedAccount } },
    },
  ],
  ['0007', { iso20022: returned('AC04', lateDays), nacha: returned('R02', lateDays) }],
]);

/**
 * What the bank does with an order, by the ending of the payee's account. One that cannot be paid at all is refused,
 * or comes back where nobody refuses.
 */
export function planOf(order: Pick<Order, 'creditor_last4' | 'rail' | 'unfit'>): Plan {
  if (order.unfit !== null) {
    return order.rail === 'nacha' ? returned(order.unfit) : refused(order.unfit);
  }
  return plans.get(order.creditor_last4)?.[order.rail] ?? usual;
}
