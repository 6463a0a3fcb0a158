import { issueServerCertificate, loadAuthority } from './certificates.ts';
import { createClient } from './client.ts';
import { certificateFolder, type DemoConfig } from './config.ts';
import { type StepResult, summary } from './print.ts';
import { startReceiver } from './receiver.ts';
import { runScenario, type ScenarioContext } from './scenario.ts';
import { findOrStartService, type Service } from './service.ts';

const stepWidth = 34;

/** The amount for people, with the two decimals of the demo's one currency, USD. */
const majorUnits = (minor: number): string => (minor / 100).toFixed(2);

/** Runs, times and prints steps; `results` is what the summary shows. */
function createStepper(print: (line: string) => void): {
  results: StepResult[];
  step: ScenarioContext['step'];
} {
  const results: StepResult[] = [];
  return {
    results,
    async step(title, run) {
      const started = performance.now();
      try {
        const detail = await run();
        const ms = Math.round(performance.now() - started);
        results.push({ title, ms });
        print(
          `  ok    ${title.padEnd(stepWidth)} ${String(ms).padStart(6)} ms  ${detail}`.trimEnd(),
        );
      } catch (error) {
        print(`  FAIL  ${title}`);
        throw error;
      }
    },
  };
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
  await step('find or start the service', async () => {
    const service = await findOrStartService(config, signal);
    cleanup.defer(() => service.stop());
    onService(service);
    ended = service.ended;
    return `${config.baseUrl}${service.startedHere ? ', started for this demo' : ', was running'}`;
  });
  const receiver = await startReceiver(issueServerCertificate(authority));
  cleanup.defer(() => receiver.close());
  const either = AbortSignal.any(ended === undefined ? [signal] : [signal, ended]);
  const client = createClient({ baseUrl: config.baseUrl, retryMs: config.retryMs, signal: either });
  try {
    const payout = await runScenario({ client, receiver, signal: either, step });
    const shown: Array<readonly [string, string]> = [
      ['id', payout.id],
      ['amount', `${majorUnits(payout.amount_minor)} ${payout.currency}`],
      ['state', payout.state],
      ['provider payout', payout.provider_payout_id ?? 'none'],
      ['rail reference', payout.rail_ref ?? 'none'],
    ];
    print(`\n${summary(results, receiver.deliveries(), shown)}\n`);
  } catch (error) {
    // A wait that was cut off says only that; why it was is the signal's to tell.
    throw either.aborted ? either.reason : error;
  }
}
