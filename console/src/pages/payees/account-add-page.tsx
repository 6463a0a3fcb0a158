import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { accountAddDocument } from '../../../../generated/console-types/pages/payees/payee-forms.ts';
import { useAct } from '../../app/use-act.ts';
import { FormPage } from '../../parts/form-page.tsx';
import { announce } from '../../parts/live.tsx';
import { Page } from '../../parts/page.tsx';
import { texts } from '../../texts/texts.ts';
import { AccountFields, accountOf, type AccountOwner } from './account-fields.tsx';
import { WithOwner } from './owner.tsx';
import { Steps } from './steps.tsx';

const words = texts.payees.forms;

/** Adds an account of a payee, and goes back to them; on to the payout where somebody new is to be paid. */
export function AddAccountPage() {
  const { id } = useParams({ from: '/shell/payees/$id/accounts/new' });
  return (
    <WithOwner id={id} title={words.title}>
      {(owner) => <AddAccount owner={owner} />}
    </WithOwner>
  );
}

function AddAccount({ owner }: { readonly owner: AccountOwner }) {
  const { aim, replaces } = useSearch({ from: '/shell/payees/$id/accounts/new' });
  const navigate = useNavigate();
  const { act, busy, fault } = useAct(accountAddDocument);
  const { id } = owner;
  return (
    <Page title={words.title} lead={words.lead({ name: owner.displayName })}>
      <div className="stack">
        {aim === 'pay' && <Steps at="account" />}
        <FormPage
          action={aim === 'pay' ? texts.payees.next : texts.payees.save}
          busy={busy}
          fault={fault}
          aside={
            <Link className="button" to="/payees/$id" params={{ id }} search={{ ask: true }}>
              {words.askInstead}
            </Link>
          }
          onSubmit={async (given) => {
            const answer = await act({ beneficiaryId: id, input: accountOf(given) });
            const account = answer?.bankAccountRegister;
            if (account === null || account === undefined) return;
            announce(account.registeredBefore ? words.wasKnown : words.wasAdded);
            if (replaces !== undefined) {
              const search = { replaces, account: account.id };
              void navigate({ to: '/payouts/new', search });
            } else if (aim === 'pay') void navigate({ to: '/payouts/new', search: { payee: id } });
            else void navigate({ to: '/payees/$id', params: { id } });
          }}
        >
          <AccountFields owner={owner} />
        </FormPage>
      </div>
    </Page>
  );
}
