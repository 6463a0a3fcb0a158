import { idOfBankReference } from '../../providers/bank/text/reference.ts';

/** An id as we write it, where the text is one that a bank gave back in its own way; any other text as it is. */
export function asWeWriteIt(text: string): string {
  return idOfBankReference(text) ?? text;
}
