import { explain, explainedRight } from '../../src/process/command.ts';
import { readVerifyConfig } from './config.ts';
import { fetchBankBook, fetchLedger, readReceiverLog } from './sources.ts';
import { report, verify } from './verify.ts';

/**
 * `npm run verify-ledger`: prints each promise as ok or violated, with the ids of what breaks it. The exit
 * status is 1 when one is violated, and 2 when the comparison could not be made.
 */
try {
  const config = await readVerifyConfig(process.argv.slice(2));
  const { receiverLog } = config;
  const findings = await verify({
    databaseUrl: config.databaseUrl,
    ledger: () => fetchLedger(config.simulatorUrl, config.simulatorApiKey),
    bank: () => fetchBankBook(config.simulatorUrl, config.simulatorApiKey),
    received: receiverLog === null ? null : () => readReceiverLog(receiverLog),
    atRest: config.atRest,
    ...(config.businessId === null ? {} : { businessId: config.businessId }),
  });
  console.log(report(findings));
  if (findings.some(({ violations }) => violations.length > 0)) process.exitCode = 1;
} catch (thrown) {
  const error = explainedRight(
    thrown,
    'the comparison makes temporary tables and reads every business, for which it needs the login of the role that owns the tables',
  );
  console.error(explain(error) ?? (error instanceof Error ? error.message : error));
  process.exitCode = 2;
}
