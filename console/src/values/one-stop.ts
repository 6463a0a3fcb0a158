/** A sentence whose last word is a name: that of a company may bring its own full stop. */
export const oneStop = (sentence: string): string => sentence.replace(/\.\.$/, '.');
