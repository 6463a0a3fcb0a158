import { z } from 'zod';
import { parseBody } from '../requests.ts';
import { found, type Route } from '../route.ts';
import { formatAmount } from './amount.ts';
import type { Bank } from './bank.ts';
import { balanceAfter } from './book.ts';
import { bankFaultsSchema } from './faults.ts';

const text = z.string().trim().min(1).max(255);

const daysRequest = z.strictObject({ days: z.int().min(1).max(400) });
const releaseRequest = z.strictObject({ order: text.optional() });
const returnRequest = z.strictObject({
  order: text,
  reason: z
    .string()
    .regex(/^[A-Z0-9]{3,4}$/)
    .default('AC04'),
});
const customerRequest = z.strictObject({ customer: text });
const fundsRequest = z.strictObject({
  customer: text,
  account: text,
  currency: z.string().regex(/^[A-Z]{3}$/),
  amount: z.string().regex(/^[0-9]{1,13}(\.[0-9]{1,5})?$/),
});

/** The whole book: what verifiers and tests compare with. */
function bookOf({ book, today }: Bank) {
  return {
    day: today(),
    files: Array.from(book.files(), (file) => ({ ...file, orders: file.orders.length })),
    orders: [...book.orders()],
    accounts: Array.from(book.accounts(), ({ stated, ...account }) => ({
      ...account,
      entries: account.entries.map((entry, index) => ({
        ...entry,
        is_stated: index < stated,
      })),
      balance: formatAmount(balanceAfter(account.entries)),
    })),
  };
}

/** The control of the sandbox bank. docs/sandbox-bank.md tells what each is for. */
export const bankRoutes: readonly Route<Bank>[] = [
  { method: 'GET', path: '/control/bank/book', handle: (bank) => found(bookOf(bank)) },
  {
    method: 'GET',
    path: '/control/bank/faults',
    handle: (bank) => found(bank.faults.current()),
  },
  {
    method: 'PUT',
    path: '/control/bank/faults',
    handle(bank, call) {
      bank.faults.replace(parseBody(bankFaultsSchema, call.body));
      return found(bank.faults.current());
    },
  },
  {
    method: 'DELETE',
    path: '/control/bank/faults',
    handle(bank) {
      bank.faults.replace(bankFaultsSchema.parse({}));
      return { status: 204 };
    },
  },
  {
    method: 'POST',
    path: '/control/bank/customers',
    async handle(bank, call) {
      await bank.openCustomer(parseBody(customerRequest, call.body).customer);
      return { status: 204 };
    },
  },
  {
    method: 'POST',
    path: '/control/bank/days',
    async handle(bank, call) {
      await bank.endDays(parseBody(daysRequest, call.body).days);
      return found({ day: bank.today() });
    },
  },
  {
    method: 'POST',
    path: '/control/bank/releases',
    async handle(bank, call) {
      const { order } = parseBody(releaseRequest, call.body);
      return found({ released: await bank.release(order ?? null) });
    },
  },
  {
    method: 'POST',
    path: '/control/bank/returns',
    async handle(bank, call) {
      const { order, reason } = parseBody(returnRequest, call.body);
      return found(await bank.giveBack(order, reason));
    },
  },
  {
    method: 'POST',
    path: '/control/bank/funds',
    async handle(bank, call) {
      await bank.addFunds(parseBody(fundsRequest, call.body));
      return { status: 204 };
    },
  },
];
