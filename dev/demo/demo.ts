import { join } from 'node:path';
import { createPayoutClient } from '../../client/src/index.ts';
import { authorityFile, issueServerCertificate, loadAuthority } from './certificates.ts';
import { certificateFolder, type DemoConfig } from './config.ts';
import { summary } from './print.ts';
import { startReceiver } from './receiver.ts';
import { runBankScenario } from './bank-scenario.ts';
import { runScenario } from './scenario.ts';
import { createStepper } from './stepper.ts';
import { findOrStartService, type Service } from './service.ts';
import { type Verdict, verifyBusiness } from './verify.ts';

/** The amount for people, with the two decimals of the demo's one currency, USD. */
const majorUnits = (minor: number): string => (minor / 100).toFixed(2);

/**
 * Ends the demo with proof: database, provider and receiver agree on what was done. Throws when a
 * promise is broken. Another machine's database cannot be looked into, and then nothing is claimed.
 */
async function printVerdict(
  judge: () => Promise<Verdict>,
  print: (line: string) => void,
): Promise<void> {
  const verdict = await judge();
  if (verdict.kind === 'unknown') {
    print(`Not verified: ${verdict.reason}\n`);
    return;
  }
  const lines = verdict.report.split('\n');
  const books = ['the provider\u2019s ledger', 'the sandbox bank\u2019s book'].join(', ');
  print(`Verified: the database, ${books} and the receiver\u2019s log`);
  print(`${lines.map((line) => `  ${line}`).join('\n')}\n`);
  if (verdict.kind === 'violated')
    throw new Error('A promise of the service is broken; see above.');
}

/**
 * The whole demo against the service at `config.baseUrl`, or one that it starts and stops. Prints
 * each step and a summary. Throws when a step fails or the signal aborts; `onService` hears of the
 * service as soon as there is one, so that the caller can end it if time runs out.
 */
export async function runDemo(
  config: DemoConfig,
  signal: AbortSignal,
  print: (line: string) => void,
  onService: (service: Service) => void = () => {},
): Promise<void> {
  // Before the service starts, so that it finds the authority that it is told to trust.
  const authority = await loadAuthority(certificateFolder(config.dataDir));
  await using cleanup = new AsyncDisposableStack();
  const { results, step } = createStepper(print);
  let ended: AbortSignal | undefined;
  await step('find or start the service', async (tell) => {
    tell('the first start makes a database');
    const service = await findOrStartService(config, signal);
    cleanup.defer(() => service.stop());
    onService(service);
    ended = service.ended;
    return `${config.baseUrl}${service.startedHere ? ', started for this demo' : ', was running'}`;
  });
  const receiver = await startReceiver(
    await issueServerCertificate(authority),
    authorityFile(certificateFolder(config.dataDir)),
  );
  cleanup.defer(() => receiver.close());
  const receiverLog = join(certificateFolder(config.dataDir), 'receiver.jsonl');
  await receiver.logTo(receiverLog);
  const either = AbortSignal.any(ended === undefined ? [signal] : [signal, ended]);
  const { baseUrl, retryMs } = config;
  const client = createPayoutClient({
    baseUrl,
    // Longer than the 10 s that an enroll request waits for the provider.
    timeoutMs: 20_000,
    maxRetries: Number.POSITIVE_INFINITY,
    retryForMs: retryMs,
    signal: either,
  });
  try {
    const run = config.rail === 'bank' ? runBankScenario : runScenario;
    const { businessId, payout } = await run({
      client,
      receiver,
      baseUrl,
      retryMs,
      signal: either,
      step,
    });
    const shown: Array<readonly [string, string]> = [
      ['id', payout.id],
      ['amount', `${majorUnits(payout.amount_minor)} ${payout.currency}`],
      ['state', payout.state],
      ['provider payout', payout.provider_payout_id ?? 'none'],
      ['rail reference', payout.rail_ref ?? 'none'],
    ];
    print(`\n${summary(results, receiver.deliveries(), shown)}\n`);
    await printVerdict(() => verifyBusiness(config, businessId, receiverLog, either), print);
  } catch (error) {
    // A wait that was cut off says only that; why it was is the signal's to tell.
    throw either.aborted ? either.reason : error;
  }
}
