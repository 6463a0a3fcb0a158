import type { texts } from '../../texts/texts.ts';

type Words = typeof texts.payees;

/** Which payees a list shows, as the address has it. */
export interface PayeeChoice {
  /** A name, an address or an id that is looked for; the other choices then wait. */
  readonly sought?: string;
  readonly type?: keyof Words['types'];
  readonly compliance?: keyof Words['compliances'];
}
