import { readCreditTransfers } from './read-credit-transfers.ts';
import { readNacha } from './read-nacha.ts';
import { FileRefusal } from './read-xml.ts';
import type { ReadOrders } from './read-order.ts';

function refused(format: ReadOrders['format'], error: unknown): ReadOrders {
  if (!(error instanceof FileRefusal)) throw error;
  return { format, messageId: 'NOTPROVIDED', orders: [], refusal: error };
}

/** Reads a file of a customer: XML is a pain.001, anything else has to be a Nacha file. */
export function readFile(bytes: Uint8Array): ReadOrders {
  const isXml = bytes.subarray(0, 64).includes('<'.charCodeAt(0));
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return isXml ? readCreditTransfers(text) : readNacha(text);
  } catch (error) {
    const unreadable = error instanceof TypeError;
    return refused(
      isXml ? 'pain.001.001.09' : 'unknown',
      unreadable ? new FileRefusal('FF01', 'It is not UTF-8.') : error,
    );
  }
}
