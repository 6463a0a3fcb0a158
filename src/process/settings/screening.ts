import { z } from 'zod';
import { setting } from './setting.ts';

/** The lists of sanctions, and when one is no longer relied on. */
export const screeningSettings = {
  WATCHLIST_STALE_DAYS: setting({
    schema: z.coerce.number().int().min(1).max(365),
    fallback: '14',
    description:
      'Days after which a list of sanctions counts as stale, by the date that the list states of itself.',
  }),
  WATCHLIST_SHRINK_PERCENT: setting({
    schema: z.coerce.number().int().min(1).max(100),
    fallback: '20',
    description:
      'A version of a list that has lost more than this share of its entries or names is refused as damaged.',
  }),
};
