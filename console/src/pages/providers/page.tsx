import { useFresh } from '../../app/fresh.ts';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { texts } from '../../texts/texts.ts';
import { providersDocument } from '../../../../generated/console-types/pages/providers/providers.ts';
import { ProviderCard } from './provider-card.tsx';

const words = texts.providers;

/** To whom the payouts of the business can go: what each provider pays, and what it can do. */
export function ProvidersPage() {
  const fresh = useFresh(providersDocument, {}, { everyMs: null });
  return (
    <Page title={words.title} lead={words.lead}>
      {fresh.data === null ? (
        <Pending of={fresh} />
      ) : (
        <div className="stack">
          {fresh.data.payoutProviders.map((provider) => (
            <ProviderCard key={provider.name} provider={provider} />
          ))}
        </div>
      )}
    </Page>
  );
}
