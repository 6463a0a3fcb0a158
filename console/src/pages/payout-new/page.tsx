import { getRouteApi } from '@tanstack/react-router';
import { useFresh } from '../../app/fresh.ts';
import { useMay } from '../../app/session.ts';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { texts } from '../../texts/texts.ts';
import { amountParts } from '../../values/money.ts';
import { PayoutForm, type NewPayoutFields } from './form.tsx';
import {
  newPayoutDocument,
  replacedPayoutDocument,
} from '../../../../generated/console-types/pages/payout-new/new-payout.ts';

const route = getRouteApi('/shell/payouts/new');
const words = texts.newPayout;

/** Makes one payout by hand, checked by a dry run while it is filled in. */
export function NewPayoutPage() {
  const { replaces, payee, account } = route.useSearch();
  const mayMake = useMay('payouts:write');
  // Neither is asked anew under who fills in the form.
  const offers = useFresh(newPayoutDocument, {}, { everyMs: null });
  const replaced = useFresh(
    replacedPayoutDocument,
    { id: replaces ?? '' },
    { everyMs: null, pause: replaces === undefined },
  );
  const { data } = offers;
  const lead = replaces === undefined ? words.lead : words.replaces({ id: replaces });
  const waits = replaces !== undefined && replaced.data === null;
  return (
    <Page title={words.title} lead={lead}>
      {!mayMake ? (
        <Note>{words.mayNot}</Note>
      ) : data === null || waits ? (
        <Pending of={data === null ? offers : replaced} lines={6} />
      ) : (
        <PayoutForm
          purposes={data.purposesOfPayment}
          payees={data.beneficiaries.edges.map(({ node }) => node)}
          given={givenBy(payee, account, replaced.data?.payout ?? null)}
        />
      )}
    </Page>
  );
}

interface Replaced {
  readonly id: string;
  readonly beneficiaryId: string;
  readonly bankAccountId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly purposeOfPayment: string;
  readonly externalRef: string | null;
}

/** What the form begins with: what is replaced, but for an account that the person chooses anew. */
function givenBy(
  payee: string | undefined,
  account: string | undefined,
  replaced: Replaced | null,
): NewPayoutFields {
  if (replaced === null) {
    return {
      payee: payee ?? '',
      account: account ?? '',
      amount: '',
      purpose: '',
      reference: '',
      replaces: null,
    };
  }
  const { whole, fraction } = amountParts(replaced.amountMinor, replaced.currency);
  return {
    payee: replaced.beneficiaryId,
    account: account ?? replaced.bankAccountId,
    amount: whole + fraction,
    purpose: replaced.purposeOfPayment,
    reference: replaced.externalRef ?? '',
    replaces: replaced.id,
  };
}
