import { createHash } from 'node:crypto';
import { formatAmount, fromCents } from './amount.ts';
import { readNachaFile, type NachaBatch, type NachaEntry, type NachaFile } from './nacha-format.ts';
import type { ReadOrder, ReadOrders } from './read-order.ts';
import { FileRefusal } from './read-xml.ts';

/** Codes 20 to 24 and 30 to 34 credit an account. */
const isCredit = ({ code }: NachaEntry): boolean => Number(code.charAt(1)) < 5;

/** The check digit of a routing number: weights 3, 7, 1 add up to a multiple of ten. */
function isRoutingNumber(digits: string): boolean {
  const weights = [3, 7, 1];
  const sum = [...digits].reduce(
    (before, digit, index) => before + Number(digit) * (weights[index % 3] ?? 0),
    0,
  );
  return /^[0-9]{9}$/.test(digits) && sum % 10 === 0;
}

/**
 * The account that pays: that of the debit which balances the batch. A batch without one names no account, and is
 * paid from the one that has the number of the company.
 */
const accountOf = ({ entries, companyId }: NachaBatch): string =>
  entries.find((entry) => !isCredit(entry))?.account ?? companyId;

function readOrder(entry: NachaEntry, batch: NachaBatch, file: NachaFile): ReadOrder {
  const { routingNumber, account } = entry;
  return {
    group: String(batch.number),
    end_to_end_id: null,
    instruction_id: null,
    uetr: null,
    trace_number: entry.trace,
    amount: formatAmount(fromCents(BigInt(entry.cents))),
    currency: 'USD',
    account: accountOf(batch),
    account_currency: 'USD',
    execution_date: `20${batch.effectiveDate.replace(/^(..)(..)(..)$/, '$1-$2-$3')}`,
    creditor_last4: account.slice(-4),
    creditor_sha256: createHash('sha256').update(`${routingNumber} ${account}`).digest('hex'),
    ach: {
      code: entry.code,
      routing_number: routingNumber,
      identification: entry.identification,
      entry_class: batch.entryClass,
      company: batch.company,
      company_id: batch.companyId,
      bank: batch.bank,
      origin: file.origin,
    },
    unfit: isRoutingNumber(routingNumber) ? null : 'R13',
  };
}

/** The debit that balances a batch is the customer's own account, and no order to pay somebody. */
function checkBalanced({ number, serviceClass, entries }: NachaBatch): void {
  const sum = (credits: boolean) =>
    entries
      .filter((entry) => isCredit(entry) === credits)
      .reduce((before, { cents }) => before + cents, 0);
  if (serviceClass === '220' && sum(false) === 0) return;
  if (serviceClass === '200' && sum(false) === sum(true)) return;
  throw new FileRefusal('FF01', `Batch ${number} is neither of credits alone nor balanced.`);
}

/**
 * Reads a Nacha file of credits.
 * @throws FileRefusal FF01 for one that is none
 */
export function readNacha(text: string): ReadOrders {
  let file: NachaFile;
  try {
    file = readNachaFile(text);
  } catch (error) {
    throw new FileRefusal('FF01', `It is no Nacha file: ${(error as Error).message}`);
  }
  const orders = file.batches.flatMap((batch) => {
    checkBalanced(batch);
    return batch.entries.filter(isCredit).map((entry) => readOrder(entry, batch, file));
  });
  return { format: 'nacha', messageId: file.reference || 'NOTPROVIDED', orders, refusal: null };
}
