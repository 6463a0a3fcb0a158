import { languageCodes, type LanguageCode } from '../../src/reference/languages.ts';
import { de } from './texts/de.ts';
import { en, type Texts } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { pt } from './texts/pt.ts';

/** The languages of the pages by primary subtag (BCP 47), in the order of the switch. */
export const languages = { en, de, fr, es, pt } as const satisfies Record<LanguageCode, Texts>;

export type Language = LanguageCode;

/** The texts of each language, with the largest size of a file in megabytes where they tell it. */
export function textsFor(megabytes: number): Readonly<Record<Language, Texts>> {
  const fill = (text: string) => text.replace('{mb}', String(megabytes));
  const filled = ({ start, failure, faults, fields, ...texts }: Texts): Texts => ({
    ...texts,
    start: { ...start, askedFile: fill(start.askedFile) },
    failure: {
      ...failure,
      tooLarge: { ...failure.tooLarge, text: fill(failure.tooLarge.text) },
    },
    faults: { ...faults, file_too_large: fill(faults.file_too_large) },
    fields: { ...fields, file: { ...fields.file, hint: fill(fields.file.hint) } },
  });
  const { en: english, de: german, fr: french, es: spanish, pt: portuguese } = languages;
  return {
    en: filled(english),
    de: filled(german),
    fr: filled(french),
    es: filled(spanish),
    pt: filled(portuguese),
  };
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
