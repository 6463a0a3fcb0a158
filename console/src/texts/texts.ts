import type { ErrorCode } from '../../../generated/console-types/codes.ts';
import type {
  PayoutFailureCode,
  PurposeOfPayment,
} from '../../../generated/console-types/graphql.ts';
import type { LanguageCode } from '../../../generated/console-types/languages.ts';
import type { Texts } from '../../../generated/console-types/texts.ts';
import { language, locale } from './language.ts';
import { say } from './say.ts';

const english = () => import('./en.json', { with: { type: 'json' } });

/** The texts as they were first written. What each code of the service means is among them: one without does not compile. */
type TextFile = Awaited<ReturnType<typeof english>>['default'] & {
  readonly errors: Readonly<Record<ErrorCode, string>>;
  readonly failures: Readonly<Record<PayoutFailureCode, string>>;
  readonly purposes: Readonly<Record<PurposeOfPayment, string>>;
};

/** A page loads the texts of its language alone. A text that a language lacks does not compile. */
const files: Readonly<Record<LanguageCode, () => Promise<{ readonly default: TextFile }>>> = {
  en: english,
  de: () => import('./de.json', { with: { type: 'json' } }),
  fr: () => import('./fr.json', { with: { type: 'json' } }),
  es: () => import('./es.json', { with: { type: 'json' } }),
  pt: () => import('./pt.json', { with: { type: 'json' } }),
};

/** Every text of the console. Their types, and what each takes, are made from `en.json`. */
export const texts = say((await files[language]()).default, locale) as unknown as Texts;

const numbers = new Intl.NumberFormat(locale);
const lists = new Intl.ListFormat(locale, { type: 'conjunction' });

/** A count with grouped digits: `12,345`. */
export const grouped = (count: number): string => numbers.format(count);

/** Names in a sentence: `ada and ben`. */
export const listed = (names: readonly string[]): string => lists.format(names);

const alternatives = new Intl.ListFormat(language, { type: 'disjunction' });

/** Alternatives in a sentence: `ada or ben`. */
export const listedWithOr = (names: readonly string[]): string => alternatives.format(names);

/** The text for what the service names, where there is one for it. */
export const textFor = (table: Readonly<Record<string, string>>, name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;
