import { textFor, texts } from '../texts/texts.ts';

/** What a payout is for, in words; one without a text of its own is told by its code: `contractor_payment`, `contractor payment`. */
export const purposeWords = (purpose: string): string =>
  textFor(texts.purposes, purpose) ?? purpose.replaceAll('_', ' ');
