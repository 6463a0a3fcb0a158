import { readBankFile } from '../../../../../src/providers/bank/read-file.ts';
import { statementBytes } from '../../../../support/bank-statement.ts';

/** Reads a statement that is made on the way, and prints how many payments it has. */
const [bytes, oneEntry] = process.argv.slice(2);
let payments = 0;
const plan = { bytes: Number(bytes), oneEntry: oneEntry === '1' };
for await (const report of readBankFile(statementBytes(plan))) {
  if (report.kind === 'entry') payments += report.details.length;
}
process.stdout.write(String(payments));
