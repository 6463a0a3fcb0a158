import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import type {
  CheckPayoutMutation,
  PayoutCreateInput,
} from '../../../../generated/console-types/graphql.ts';
import { faultOf, type Fault } from '../../values/fault.ts';
import { checkPayoutDocument, latestPayoutsDocument } from './new-payout.graphql.ts';

type Funding = NonNullable<CheckPayoutMutation['payoutCreate']>['funding'];

/** What a dry run said of the payout as it stands in the form. */
export type Check =
  | { readonly kind: 'incomplete' | 'running' }
  | { readonly kind: 'refused'; readonly fault: Fault }
  | {
      readonly kind: 'fits';
      readonly funding: Funding;
      /** Other payouts to the payee within 30 days, of the same amount. */
      readonly similar: number;
    };

const pauseMs = 400;
const month = 30 * 86_400_000;

/** Checks a payout by a dry run shortly after each change of the form. @param input null while something is missing */
export function useCheck(input: PayoutCreateInput | null): Check {
  const client = useClient();
  const [checked, setChecked] = useState<{ key: string; check: Check } | null>(null);
  const key = input === null ? null : JSON.stringify(input);
  useEffect(() => {
    if (key === null) return undefined;
    let current = true;
    const run = async () => {
      const asked = JSON.parse(key) as PayoutCreateInput;
      const [dry, latest] = await Promise.all([
        client.mutation(checkPayoutDocument, { input: { ...asked, dryRun: true } }),
        client.query(latestPayoutsDocument, { payeeId: asked.beneficiaryId }),
      ]);
      if (!current) return;
      if (dry.error !== undefined) {
        setChecked({ key, check: { kind: 'refused', fault: faultOf(dry.error) } });
        return;
      }
      const since = Date.now() - month;
      const similar = (latest.data?.payouts.edges ?? []).filter(
        ({ node }) =>
          node.amountMinor === asked.amountMinor &&
          node.currency === asked.currency &&
          Date.parse(node.createdAt) >= since,
      ).length;
      const funding = dry.data?.payoutCreate?.funding ?? null;
      setChecked({ key, check: { kind: 'fits', funding, similar } });
    };
    const timer = setTimeout(() => void run(), pauseMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [client, key]);
  if (key === null) return { kind: 'incomplete' };
  return checked?.key === key ? checked.check : { kind: 'running' };
}
