import { languageCodes, type LanguageCode } from '../../../generated/console-types/languages.ts';

/**
 * The language of every text. A reader's own choice is kept in this browser, so that a page begins in it, and with
 * the person once they are signed in (`app/own-language.tsx`), so that it follows them to other browsers.
 */
const storageKey = 'payouts-language';

/** Marks a choice of which the service has not been told. */
const newMark = ' new';

const languageOf = (tag: string): LanguageCode | null =>
  languageCodes.find((code) => code === tag.split(/[-@_]/, 1)[0]?.toLowerCase()) ?? null;

function kept(): string {
  try {
    return localStorage.getItem(storageKey) ?? '';
  } catch {
    // A browser that keeps nothing for the page leaves it to the browser's own language.
    return '';
  }
}

/** Keeps a language in this browser, for the next load of a page; false where the browser keeps nothing. */
export function keepLanguage(code: LanguageCode, by: 'reader' | 'service'): boolean {
  try {
    localStorage.setItem(storageKey, `${code}${by === 'reader' ? newMark : ''}`);
    return true;
  } catch {
    return false;
  }
}

/** What the reader chose in this browser and the service has not been told, as on the page to sign in. */
export const newChoice = (): LanguageCode | null =>
  kept().endsWith(newMark) ? languageOf(kept().slice(0, -newMark.length)) : null;

/** What was chosen, else what the browser prefers, else English. A process without a page is a test, in English. */
function wanted(): LanguageCode {
  if (typeof document === 'undefined') return 'en';
  const [chosen = ''] = kept().split(' ', 1);
  for (const tag of [chosen, ...navigator.languages]) {
    const code = languageOf(tag);
    if (code !== null) return code;
  }
  return 'en';
}

export const language: LanguageCode = wanted();

const locales: Readonly<Record<LanguageCode, string>> = {
  en: 'en-GB',
  de: 'de-DE',
  fr: 'fr-FR',
  es: 'es-ES',
  pt: 'pt-BR',
};

/** How numbers, days and times are written. */
export const locale: string = locales[language];

/** What each language calls itself: whoever reads none of the others finds theirs. */
export const languageNames: Readonly<Record<LanguageCode, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
};
