import type { ErrorCode } from '../../../generated/console-types/codes.ts';
import type {
  PayoutFailureCode,
  PurposeOfPayment,
} from '../../../generated/console-types/graphql.ts';
import type { Texts } from '../../../generated/console-types/texts.ts';
import en from './en.json' with { type: 'json' };
import { say } from './say.ts';

/* What each code of the service means stands among the texts: one without does not compile. */
en.errors satisfies Readonly<Record<ErrorCode, string>>;
en.failures satisfies Readonly<Record<PayoutFailureCode, string>>;
en.purposes satisfies Readonly<Record<PurposeOfPayment, string>>;

/** The language of every text. A translation is a file beside `en.json` with the same keys. */
const language = 'en';

/** Every text of the console. Their types, and what each takes, are made from `en.json`. */
export const texts = say(en, language) as unknown as Texts;

const numbers = new Intl.NumberFormat(language);
const lists = new Intl.ListFormat(language, { type: 'conjunction' });

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
