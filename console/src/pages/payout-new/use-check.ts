import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import type {
  CheckPayoutMutation,
  PayoutCreateInput,
} from '../../../../generated/console-types/graphql.ts';
import { faultOf, type Fault } from '../../values/fault.ts';
import { checkPayoutDocument } from './new-payout.graphql.ts';

type Tried = NonNullable<CheckPayoutMutation['payoutCreate']>;

/** What a dry run said of the payout as it stands in the form. */
export type Check =
  | { readonly kind: 'incomplete' | 'running' }
  | { readonly kind: 'refused'; readonly fault: Fault }
  | {
      readonly kind: 'fits';
      readonly funding: Tried['funding'];
      /** What is replaced, where it failed at the same account. */
      readonly failedBefore: Tried['failedBefore'];
      /** Other payouts to the payee within 30 days, of the same amount. */
      readonly similar: number;
    };

const pauseMs = 400;

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
      const dry = await client.mutation(checkPayoutDocument, { input: { ...asked, dryRun: true } });
      if (!current) return;
      if (dry.error !== undefined) {
        setChecked({ key, check: { kind: 'refused', fault: faultOf(dry.error) } });
        return;
      }
      const tried = dry.data?.payoutCreate ?? null;
      const funding = tried?.funding ?? null;
      const failedBefore = tried?.failedBefore ?? null;
      const similar = tried?.similarPayouts?.sameAmount ?? 0;
      setChecked({ key, check: { kind: 'fits', funding, failedBefore, similar } });
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
