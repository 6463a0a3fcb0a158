import { Link, useParams, useSearch } from '@tanstack/react-router';
import {
  operatorProviderAccountCheckDocument,
  operatorProviderAccountPageDocument,
  operatorProviderConnectionChangeDocument,
} from '../../../../generated/console-types/pages/operator-business/accounts.ts';
import { useFresh } from '../../app/fresh.ts';
import { useAct } from '../../app/use-act.ts';
import { AccountFacts } from '../../parts/accounts/account-facts.tsx';
import { ChangeForm } from '../../parts/accounts/change-form.tsx';
import { AccountChecks } from '../../parts/accounts/checks.tsx';
import { Empty } from '../../parts/blank.tsx';
import { announce } from '../../parts/live.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { texts } from '../../texts/texts.ts';
import { Reason } from './reason.tsx';

const words = texts.accounts;

/** One account of a business at a provider: whether it opens, what is known of it, and how it is changed. */
export function OperatorProviderAccountPage() {
  const from = '/shell/operator/businesses/$id/accounts/$connection';
  const { id, connection: connectionId } = useParams({ from });
  const { environment } = useSearch({ from });
  const fresh = useFresh(
    operatorProviderAccountPageDocument,
    { id, environment },
    { everyMs: null },
  );
  const { act, busy, fault } = useAct(operatorProviderConnectionChangeDocument);
  const account = fresh.data?.operatorBanking.accounts.find((one) => one.id === connectionId);
  const isOpen = account !== undefined && account.status !== 'closed';
  return (
    <Page
      title={account?.name ?? words.account}
      lead={<code>{connectionId}</code>}
      actions={
        <Link
          className="button"
          to="/operator/businesses/$id/banks"
          params={{ id }}
          search={{ environment }}
        >
          {texts.operatorBusiness.banksTitle}
        </Link>
      }
    >
      {fresh.data === null ? (
        <Pending of={fresh} lines={10} />
      ) : account === undefined ? (
        <Empty title={words.none} />
      ) : (
        <div className="stack">
          {isOpen && (
            <AccountChecks
              ask={async (client) => {
                const { data, error } = await client.query(
                  operatorProviderAccountCheckDocument,
                  { id, environment, connectionId },
                  { requestPolicy: 'network-only' },
                );
                return { checks: data?.operatorProviderConnectionCheck, error };
              }}
            />
          )}
          <AccountFacts of={account} />
          {environment === 'production' && isOpen && (
            <ChangeForm
              key={account.version}
              account={account}
              providers={fresh.data.operatorBanking.providers}
              busy={busy}
              fault={fault}
              onSubmit={async (change, given) => {
                const done = await act({ businessId: id, ...change, reason: given('reason') });
                if (done === null) return;
                const isProposed = done.operatorProviderConnectionChange === null;
                announce(isProposed ? texts.operatorBusiness.proposed : words.changed);
                fresh.refresh();
              }}
            >
              <Reason />
            </ChangeForm>
          )}
        </div>
      )}
    </Page>
  );
}
