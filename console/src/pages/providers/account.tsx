import { Link, useParams } from '@tanstack/react-router';
import {
  providerAccountCheckDocument,
  providerAccountPageDocument,
  sandboxProviderChangeDocument,
} from '../../../../generated/console-types/pages/providers/providers.ts';
import { useFresh } from '../../app/fresh.ts';
import { useMay, useSession } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { AccountFacts } from '../../parts/accounts/account-facts.tsx';
import { ChangeForm } from '../../parts/accounts/change-form.tsx';
import { AccountChecks } from '../../parts/accounts/checks.tsx';
import { Empty } from '../../parts/blank.tsx';
import { announce } from '../../parts/live.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.accounts;

/** One account at a provider: whether it opens, what is known of it, and how it is changed. */
export function ProviderAccountPage() {
  const { id } = useParams({ from: '/shell/providers/accounts/$id' });
  const { viewer } = useSession();
  const mayWrite = useMay('banks:write');
  const fresh = useFresh(providerAccountPageDocument, {}, { everyMs: null });
  const { act, busy, fault } = useAct(sandboxProviderChangeDocument);
  const account = fresh.data?.providerConnections.find((one) => one.id === id);
  const isOpen = mayWrite && account !== undefined && account.status !== 'closed';
  return (
    <Page
      title={account?.name ?? words.account}
      lead={words.lead}
      actions={
        <Link className="button" to="/providers">
          {texts.providers.title}
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
                  providerAccountCheckDocument,
                  { connectionId: id },
                  { requestPolicy: 'network-only' },
                );
                return { checks: data?.providerConnectionCheck, error };
              }}
            />
          )}
          <AccountFacts of={account} />
          {viewer.environment === 'production' && <Note>{words.connect.byOperators}</Note>}
          {viewer.environment === 'sandbox' && isOpen && (
            <ChangeForm
              key={account.version}
              account={account}
              providers={fresh.data.accountProviders}
              busy={busy}
              fault={fault}
              onSubmit={async (change) => {
                if ((await act(change)) === null) return;
                announce(words.changed);
                fresh.refresh();
              }}
            />
          )}
        </div>
      )}
    </Page>
  );
}
