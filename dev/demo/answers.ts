import { z } from 'zod';
import { type Answer, errorCode } from './client.ts';

/** The fields of the service's answers that the demo reads. */
const payoutFields = z.object({
  id: z.string().startsWith('pay_'),
  state: z.string(),
  amount_minor: z.number().int(),
  currency: z.string(),
  provider_payout_id: z.string().nullable(),
  rail_ref: z.string().nullable(),
});
export type Payout = z.infer<typeof payoutFields>;

const beneficiaryFields = z.object({
  id: z.string().startsWith('ben_'),
  compliance_status: z.string(),
  enrollment_status: z.string().nullable(),
});
const bankAccountFields = z.object({
  id: z.string().startsWith('bac_'),
  last4: z.string(),
  payout_usable: z.boolean(),
});

export const shapes = {
  registration: z.object({
    business: z.object({ id: z.string().startsWith('biz_') }),
    api_key: z.object({ key: z.string().startsWith('pos_sandbox_') }),
  }),
  business: z.object({ business: z.object({ profile_status: z.string() }) }),
  funding: z.object({ funding_account: z.object({ available_balance_minor: z.number().int() }) }),
  beneficiary: z.object({ beneficiary: beneficiaryFields }),
  beneficiaries: z.object({ beneficiaries: z.array(beneficiaryFields) }),
  bankAccount: z.object({ bank_account: bankAccountFields }),
  bankAccounts: z.object({ bank_accounts: z.array(bankAccountFields) }),
  subscription: z.object({
    subscription: z.object({ id: z.string().startsWith('whs_'), enabled: z.boolean() }),
    secret: z.string().startsWith('whsec_sandbox_'),
  }),
  payout: z.object({ payout: payoutFields }),
} as const;

/** An answer is not what the interface promises. The message has its status, code and message. */
export class UnexpectedAnswer extends Error {
  constructor(what: string, answer: Answer) {
    // Only error answers are shown: a success may contain a key or a secret.
    const text = answer.status < 400 ? '' : `: ${answer.text.slice(0, 500)}`;
    super(`${what} was answered ${answer.status} ${errorCode(answer)}${text}`);
    this.name = 'UnexpectedAnswer';
  }
}

/** The body of an answer whose status is one of `statuses`. Throws UnexpectedAnswer or ZodError. */
export function read<Shape extends z.ZodType>(
  answer: Answer,
  what: string,
  statuses: readonly number[],
  shape: Shape,
): z.infer<Shape> {
  if (!statuses.includes(answer.status)) throw new UnexpectedAnswer(what, answer);
  return shape.parse(JSON.parse(answer.text));
}
