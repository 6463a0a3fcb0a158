import { sizes } from './config.ts';
import { last, median } from './stack.ts';
import { startWebhookStack } from './webhook-stack.ts';

const { rounds, tenants, each } = sizes(
  { rounds: 5, tenants: 4, each: 1_000 },
  { rounds: 1, tenants: 2, each: 5 },
);

/**
 * Webhook deliveries to HTTPS endpoints that answer at once, signed, posted and recorded, against
 * the rate at which graphile-worker runs jobs that do nothing: interleaved, medians of five.
 */
export async function run(): Promise<void> {
  const stack = await startWebhookStack();
  try {
    const tenantIds: string[] = [];
    for (let n = 0; n < tenants; n += 1) tenantIds.push(await stack.subscribe('/fast'));
    const deliveries: number[] = [];
    const floor: number[] = [];
    const measureFloor = async (): Promise<number> => {
      const env = { JOBS: String(tenants * each), CONCURRENCY: String(stack.concurrency) };
      return (await stack.program('empty-jobs.ts', env))['rate'] ?? Number.NaN;
    };
    const measure = async (): Promise<number> => {
      await stack.plan(tenantIds, each);
      return stack.rate(tenantIds);
    };
    await measure(); // warm-up
    for (let round = 1; round <= rounds; round += 1) {
      floor.push(await measureFloor());
      deliveries.push(await measure());
      console.log(`round ${round}: empty jobs ${last(floor)}/s, deliveries ${last(deliveries)}/s`);
    }
    const ratio = median(deliveries) / median(floor);
    console.log(
      `deliveries: ${median(deliveries).toFixed(0)}/s, floor ${median(floor).toFixed(0)}/s, ratio ${ratio.toFixed(2)} (${tenants} endpoints, ${stack.concurrency} jobs at a time)`,
    );
  } finally {
    await stack.close();
  }
}
