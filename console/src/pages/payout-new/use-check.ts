import type { Client } from 'urql';
import type {
  CheckPayoutMutation,
  PayoutCreateInput,
} from '../../../../generated/console-types/graphql.ts';
import { useAsked, type Asked } from '../../app/asked.ts';
import { checkPayoutDocument } from '../../../../generated/console-types/pages/payout-new/new-payout.ts';

/** What a dry run says of a payout. */
export type Check = Asked<CheckPayoutMutation>;

const tryOut = (client: Client, input: string) =>
  client.mutation(checkPayoutDocument, {
    input: { ...(JSON.parse(input) as PayoutCreateInput), dryRun: true },
  });

/** Checks a payout by a dry run shortly after each change of the form. @param input null while something is missing */
export const useCheck = (input: PayoutCreateInput | null): Check =>
  useAsked(input === null ? null : JSON.stringify(input), tryOut);
