import type { FundingOutlook as Outlook } from '../../src/domain/ledger/outlook.ts';
import { builder } from '../builder.ts';

export const FundingOutlook = builder.objectRef<Outlook>('FundingOutlook').implement({
  description: 'Whether the funds would cover the approval of a payout at this moment.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'ISO 4217 code of the amounts.' }),
    availableMinor: t.expose('availableMinor', {
      type: 'MinorUnitsTotal',
      description:
        'Posted funds, less what is held for approved payouts and what earlier rows of the request would take; in minor units of currency.',
    }),
    shortfallMinor: t.expose('shortfallMinor', {
      type: 'MinorUnitsTotal',
      description: 'What would be missing, in minor units of currency; 0 where the funds cover it.',
    }),
  }),
});
