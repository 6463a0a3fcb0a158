import { isBankDay } from '../../../values/bank-days/bank-day.ts';
import { isCivilDate } from '../../../values/bank-days/civil-date.ts';
import { isTimeOfDay } from '../../../values/bank-days/zone.ts';
import { isAbaNumber } from '../../../values/aba.ts';
import type { Check } from '../write-problems.ts';
import { fitCode, fitName } from '../text/fit.ts';
import { printableAscii } from '../text/transliterate.ts';
import { batchHeader, fileHeader, serviceClasses, writeRecord } from './records.ts';
import type { AchBatch, AchFile } from './write-types.ts';

const room = (longest: number) => ({ permitted: printableAscii, longest });

/** `YYYY-MM-DD` as the six digits of a record. */
const sixDigits = (date: string) => date.slice(2).replaceAll('-', '');

/** The file header, or '' where it was refused. */
export function fileHeaderLine(file: AchFile, check: Check): string {
  const { destination, origin, created, modifier } = file;
  if (!isAbaNumber(destination.routingNumber)) {
    check.refuse('destination.routingNumber', 'malformed');
  }
  if (!/^[A-Za-z0-9]{9,10}$/.test(origin.id)) check.refuse('origin.id', 'malformed');
  if (!isCivilDate(created.date)) check.refuse('created.date', 'malformed');
  if (!isTimeOfDay(created.time)) check.refuse('created.time', 'malformed');
  if (!/^[A-Z0-9]$/.test(modifier)) check.refuse('modifier', 'malformed');
  const values = {
    // Nine digits stand behind a space; ten take the whole field.
    immediateDestination: destination.routingNumber.padStart(10),
    immediateOrigin: origin.id.padStart(10),
    creationDate: sixDigits(created.date),
    creationTime: created.time.replace(':', ''),
    fileIdModifier: modifier,
    destinationName: fitName(destination.name, 'destination.name', room(23), check),
    originName: fitName(origin.name, 'origin.name', room(23), check),
    referenceCode: fitCode(file.referenceCode, 'referenceCode', room(8), check),
  };
  return check.isRefused() ? '' : writeRecord(fileHeader, values);
}

/** Credits alone, or credits and the debit that balances them. */
export function serviceClassOf({ offset }: AchBatch): number {
  return offset === undefined ? serviceClasses.creditsOnly : serviceClasses.mixed;
}

function checkBatch(batch: AchBatch, after: number, check: Check): void {
  const { number, originatingBank, company, effectiveDate } = batch;
  if (!Number.isInteger(number) || number < 1 || number > 9_999_999) {
    check.refuse('number', 'malformed', 'It is from 1 to 9999999.');
  } else if (number <= after) check.refuse('number', 'out_of_order');
  if (!isAbaNumber(originatingBank)) check.refuse('originatingBank', 'malformed');
  if (!/^[A-Za-z0-9]{9,10}$/.test(company.id)) check.refuse('company.id', 'malformed');
  if (!isCivilDate(effectiveDate)) check.refuse('effectiveDate', 'malformed');
  else if (!isBankDay('federal_reserve', effectiveDate)) {
    check.refuse('effectiveDate', 'not_a_bank_day');
  }
}

/**
 * The batch header, or '' where it was refused.
 * @param after the number of the batch before it
 */
export function batchHeaderLine(batch: AchBatch, after: number, check: Check): string {
  checkBatch(batch, after, check);
  const values = {
    serviceClass: serviceClassOf(batch),
    companyName: fitName(batch.company.name, 'company.name', room(16), check),
    discretionaryData: '',
    companyId: batch.company.id,
    entryClass: batch.entryClass,
    entryDescription: fitName(batch.description, 'description', room(10), check),
    descriptiveDate: '',
    effectiveDate: sixDigits(batch.effectiveDate),
    originatingBank: batch.originatingBank.slice(0, 8),
    batchNumber: batch.number,
  };
  return check.isRefused() ? '' : writeRecord(batchHeader, values);
}
