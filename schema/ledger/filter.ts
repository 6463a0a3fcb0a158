import { builder } from '../builder.ts';
import { LedgerKindEnum } from './type.ts';

export const LedgerEntryFilter = builder.inputType('LedgerEntryFilter', {
  description: 'Conditions; all of them must hold, and they combine freely.',
  fields: (t) => ({
    payoutId: t.id({ description: 'Of this payout.' }),
    kind: t.field({ type: [LedgerKindEnum], description: 'Of one of these kinds.' }),
    recordedSince: t.field({ type: 'DateTime', description: 'Recorded at this time or later.' }),
    recordedBefore: t.field({ type: 'DateTime', description: 'Recorded before this time.' }),
  }),
});
