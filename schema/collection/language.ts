import type { LanguageCode } from '../../src/reference/languages.ts';
import { builder } from '../builder.ts';
import { describedValues } from '../common/enum-values.ts';

export const CollectionLanguageEnum = builder.enumType('CollectionLanguage', {
  description: 'A language of the collection pages and their mails, by its BCP 47 subtag.',
  values: describedValues<LanguageCode>({
    en: 'English.',
    de: 'German.',
    fr: 'French.',
    es: 'Spanish.',
    pt: 'Portuguese.',
  }),
});
