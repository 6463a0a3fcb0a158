import type { LanguageCode } from '../../src/reference/languages.ts';
import { describedEnum } from '../common/described-enum.ts';

export const CollectionLanguageEnum = describedEnum<LanguageCode>(
  'CollectionLanguage',
  'A language of the collection pages, their mails and the console, by its BCP 47 subtag.',
  {
    en: 'English.',
    de: 'German.',
    fr: 'French.',
    es: 'Spanish.',
    pt: 'Portuguese.',
  },
);
