import type { texts } from '../../texts/en.ts';

type Words = typeof texts.payees;

/** Which payees a list shows, as the address has it. */
export interface PayeeChoice {
  readonly email?: string;
  readonly type?: keyof Words['types'];
  readonly compliance?: keyof Words['compliances'];
}
