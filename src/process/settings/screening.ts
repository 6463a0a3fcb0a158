import { z } from 'zod';
import { setting } from './setting.ts';

/** The lists that state their own date, so that nobody has to give it. */
const fetchedKinds = ['ofac_sdn', 'ofac_consolidated', 'eu', 'un', 'uk'];

/** `un=https://… eu=https://…` by list. */
function addressesIn(given: string, ctx: z.RefinementCtx): Readonly<Record<string, string>> {
  const pairs = given
    .split(/\s+/)
    .filter((pair) => pair !== '')
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);
  for (const [kind, address] of pairs) {
    const isKnown = fetchedKinds.includes(kind) && URL.parse(address)?.protocol === 'https:';
    if (!isKnown) ctx.addIssue('must have a list and an https address in each part');
  }
  return Object.fromEntries(pairs);
}

/** The lists of sanctions, and when one is no longer relied on. */
export const screeningSettings = {
  WATCHLIST_URLS: setting({
    schema: z.string().transform((given, ctx) => addressesIn(given, ctx)),
    fallback: '',
    description:
      'Where lists of sanctions are fetched every six hours, as `<list>=<https address>`, separated by spaces: `un=https://…/consolidated.xml`. Lists: ofac_sdn, ofac_consolidated, eu, un, uk, each as XML, the last also as CSV. From public hosts alone, without redirects. Empty: nothing is fetched.',
  }),
  WATCHLIST_STALE_DAYS: setting({
    schema: z.coerce.number().int().min(1).max(365),
    fallback: '14',
    description:
      'Days after which a list of sanctions counts as stale, by the date that the list states of itself.',
  }),
  WATCHLIST_KEEP_DAYS: setting({
    schema: z.coerce.number().int().min(30).max(36_500),
    fallback: '3650',
    description:
      'Days for which a version of a list of sanctions is kept after another one replaced it. One that a result names is kept as long as the result.',
  }),
  SCREENING_ENGINE: setting({
    schema: z.enum(['embedded', 'watchman', 'yente']),
    fallback: 'embedded',
    description:
      'What compares payees with lists of sanctions: this service with the lists that are loaded into it, or another system over HTTP (docs/screening.md).',
  }),
  SCREENING_ENGINE_URL: setting({
    schema: z.url(),
    fallback: null,
    description:
      'Where watchman or yente listens; needed for either. It is told names, birth dates, countries and numbers of payees.',
  }),
  SCREENING_ENGINE_KEY: setting({
    schema: z.string().min(1),
    fallback: null,
    description: 'The key that watchman or yente asks for, where it asks for one.',
  }),
  SCREENING_ENGINE_TIMEOUT_MS: setting({
    schema: z.coerce.number().int().min(100).max(60_000),
    fallback: '5000',
    description: 'After so many milliseconds without an answer watchman or yente is away.',
  }),
  SCREENING_THRESHOLD: setting({
    schema: z.coerce.number().min(0.5).max(1),
    fallback: '0.75',
    description:
      'From this score on, from 0 to 1, an entry of a list of sanctions is a hit (docs/screening.md).',
  }),
  WATCHLIST_SHRINK_PERCENT: setting({
    schema: z.coerce.number().int().min(1).max(100),
    fallback: '20',
    description:
      'A version of a list that has lost more than this share of its entries or names is refused as damaged.',
  }),
};

/** Another system cannot be asked without its address: silence would look clean. */
export function missingScreeningSettings(values: Readonly<Record<string, unknown>>): string[] {
  const isElsewhere = values['SCREENING_ENGINE'] !== 'embedded';
  return isElsewhere && values['SCREENING_ENGINE_URL'] === null ? ['SCREENING_ENGINE_URL'] : [];
}
