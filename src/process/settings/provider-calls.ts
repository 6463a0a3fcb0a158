import { z } from 'zod';
import { days, milliseconds, secondsList } from './schemas.ts';
import { setting } from './setting.ts';

/** The longest silence that can be set: a year. */
const silence = z.coerce.number().positive().max(31_536_000);

/** How long providers may take, and when a silent one is asked. */
export const providerCallSettings = {
  PROVIDER_TIMEOUT_MS: setting({
    schema: milliseconds,
    fallback: '10000',
    description: 'Milliseconds that one call to a provider may take.',
  }),
  PROVIDER_RETRY_DELAYS: setting({
    schema: secondsList,
    fallback: '2,5,15,60,300',
    description:
      'Seconds between the look-ups of a disbursement or an enrollment whose outcome is unknown, separated by commas. The last one repeats; more than 300 counts as 300.',
  }),
  RECONCILE_STALLED_AFTER: setting({
    schema: silence,
    fallback: '120',
    description:
      'Seconds without progress after which the job of an approved payout, an unclear call or a stored provider event is added again.',
  }),
  RECONCILE_SUBMITTED_AFTER: setting({
    schema: silence,
    fallback: '900',
    description:
      'Seconds of silence after which the provider is asked about a payout that it accepted and has not disbursed.',
  }),
  RECONCILE_DISBURSED_AFTER: setting({
    schema: silence,
    fallback: '86400',
    description:
      'Seconds of silence after which the provider is asked about a payout that is disbursed and not settled.',
  }),
  PROVIDER_EVENT_DAYS: setting({
    schema: days.min(1),
    fallback: '90',
    description:
      'Days that the text of a provider event is kept after it was applied, ignored or given up.',
  }),
} as const;
