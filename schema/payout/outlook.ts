import type { FundingOutlook as Outlook } from '../../src/domain/ledger/outlook.ts';
import { minorUnitsTotal, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';

export const FundingOutlook = builder.objectRef<Outlook>('FundingOutlook').implement({
  description: 'Whether the funds would cover the approval of a payout at this moment.',
  fields: (t) =>
    shown(t, {
      currency: text('ISO 4217 code of the amounts.'),
      availableMinor: minorUnitsTotal(
        'Posted funds, less what is held for approved payouts and what earlier rows of the request would take; in minor units of currency.',
      ),
      shortfallMinor: minorUnitsTotal(
        'What would be missing, in minor units of currency; 0 where the funds cover it.',
      ),
    }),
});
