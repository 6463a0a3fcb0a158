import { textFor, texts } from '../texts/texts.ts';

/** Why a payout failed, in words; a code without a text of its own is told as it is. */
export const failureWords = (code: string): string => textFor(texts.failures, code) ?? code;
