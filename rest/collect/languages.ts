import { languageCodes, type LanguageCode } from '../../src/reference/languages.ts';
import { say } from '../../src/values/say.ts';
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import es from './texts/es.json' with { type: 'json' };
import fr from './texts/fr.json' with { type: 'json' };
import pt from './texts/pt.json' with { type: 'json' };
import type { Texts } from './texts/texts.gen.ts';

/**
 * The languages of the pages by primary subtag (BCP 47), in the order of the switch. A text that is missing in one of
 * them does not compile. Business names are put in as plain text; the page escapes them.
 */
export const languages = { en, de, fr, es, pt } as const satisfies Record<LanguageCode, typeof en>;

export type Language = LanguageCode;

/** The texts of each language, with the largest size of a file in megabytes where they tell it. */
export function textsFor(mb: number): Readonly<Record<Language, Texts>> {
  const said = languageCodes.map((code) => [code, say(languages[code], { mb })]);
  return Object.fromEntries(said) as Readonly<Record<Language, Texts>>;
}

function languageOf(tag: string): Language | undefined {
  const primary = tag.trim().split('-', 1)[0]?.toLowerCase();
  return languageCodes.find((language) => language === primary);
}

/** The tags of an Accept-Language header, the most wanted first (RFC 9110, section 12.5.4). */
function wantedTags(header: string): string[] {
  return header
    .slice(0, 1_000)
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';');
      const quality = parameters.find((parameter) => parameter.trim().startsWith('q='));
      return { tag, quality: quality === undefined ? 1 : Number(quality.trim().slice(2)) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}

export interface ChosenLanguage {
  readonly language: Language;
  /** Whether the reader chose it; it then stays in the address of the pages that follow. */
  readonly explicit: boolean;
}

/**
 * The language of a page: what the address asks for (`?lang=de`), else what the browser prefers,
 * else English. The choice travels in the address and not in a cookie, so the pages set none.
 */
export function chooseLanguage(asked: unknown, acceptLanguage: string | undefined): ChosenLanguage {
  const chosen = typeof asked === 'string' ? languageOf(asked) : undefined;
  if (chosen !== undefined) return { language: chosen, explicit: true };
  for (const tag of wantedTags(acceptLanguage ?? '')) {
    const language = languageOf(tag);
    if (language !== undefined) return { language, explicit: false };
  }
  return { language: 'en', explicit: false };
}
