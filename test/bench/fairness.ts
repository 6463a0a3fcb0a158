import { sizes } from './config.ts';
import { last, median } from './stack.ts';
import { startWebhookStack } from './webhook-stack.ts';

const { rounds, events, hangingEndpoints, eventsOfEach } = sizes(
  { rounds: 5, events: 10_000, hangingEndpoints: 3, eventsOfEach: 200 },
  { rounds: 1, events: 10, hangingEndpoints: 1, eventsOfEach: 2 },
);

/**
 * Deliveries to one endpoint that answers at once, alone and beside endpoints that never answer and
 * that the worker has not met before: interleaved, medians of five.
 */
export async function run(): Promise<void> {
  const stack = await startWebhookStack();
  try {
    const fast = await stack.subscribe('/fast');
    const alone: number[] = [];
    const beside: number[] = [];
    const measure = async (hanging: readonly string[]): Promise<number> => {
      await stack.plan(hanging, eventsOfEach);
      await stack.plan([fast], events);
      const rate = await stack.rate([fast]);
      await stack.cancel(hanging);
      return rate;
    };
    await measure([]); // warm-up
    for (let round = 1; round <= rounds; round += 1) {
      alone.push(await measure([]));
      const hanging: string[] = [];
      for (let n = 0; n < hangingEndpoints; n += 1) hanging.push(await stack.subscribe('/hang'));
      beside.push(await measure(hanging));
      console.log(`round ${round}: alone ${last(alone)}/s, beside ${last(beside)}/s`);
    }
    const ratio = median(beside) / median(alone);
    console.log(
      `fairness: ${median(beside).toFixed(0)}/s beside ${hangingEndpoints} hanging endpoints, floor ${median(alone).toFixed(0)}/s alone, ratio ${ratio.toFixed(2)} (${events} events)`,
    );
  } finally {
    await stack.close();
  }
}
