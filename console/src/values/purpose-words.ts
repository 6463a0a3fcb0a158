/** What a payout is for, as the service names it, in words: `contractor_payment`, `contractor payment`. */
export const purposeWords = (purpose: string): string => purpose.replaceAll('_', ' ');
