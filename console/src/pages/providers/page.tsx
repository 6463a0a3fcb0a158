import { Link } from '@tanstack/react-router';
import { providersDocument } from '../../../../generated/console-types/pages/providers/providers.ts';
import { useFresh } from '../../app/fresh.ts';
import { useMay, useSession } from '../../app/session.ts';
import { AccountTable } from '../../parts/accounts/account-table.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { texts } from '../../texts/texts.ts';
import { ProviderCard } from './provider-card.tsx';

const words = texts.providers;

/** Who can pay for the business: its accounts, what each provider pays, and what it can do. */
export function ProvidersPage() {
  const fresh = useFresh(providersDocument, {}, { everyMs: null });
  const { viewer } = useSession();
  const mayConnect = useMay('banks:write') && viewer.environment === 'sandbox';
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        mayConnect && (
          <Link className="button" data-kind="primary" to="/providers/new">
            {texts.accounts.connect.title}
          </Link>
        )
      }
    >
      {fresh.data === null ? (
        <Pending of={fresh} />
      ) : (
        <div className="stack">
          {fresh.data.providerConnections.length > 0 && (
            <AccountTable
              accounts={fresh.data.providerConnections}
              nameOf={({ id, name }) => (
                <Link to="/providers/accounts/$id" params={{ id }}>
                  {name}
                </Link>
              )}
            />
          )}
          {fresh.data.payoutProviders.map((provider) => (
            <ProviderCard key={provider.name} provider={provider} />
          ))}
        </div>
      )}
    </Page>
  );
}
