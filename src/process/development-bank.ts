import { resolve } from 'node:path';

/** The folder of the sandbox bank that `npm start` runs, of which commands beside it know by DATA_DIR alone. */
export const developmentBankFolder = (dataDir: string): string =>
  resolve(dataDir, 'simulator/bank/customers');
