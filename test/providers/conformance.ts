import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import { guardProvider } from '../../src/providers/guard.ts';
import { conditionMs } from '../support/patience.ts';
import { describeCalls } from './conformance/calls.ts';
import { describeEvents } from './conformance/events.ts';
import { describeFailures } from './conformance/failures.ts';
import {
  startConformanceWorld,
  type ConformanceCase,
  type ConformanceWorld,
  type Wrap,
} from './conformance/subject.ts';

const wraps: readonly (readonly [string, Wrap])[] = [
  ['', (provider) => provider],
  [
    ' behind its guard',
    (provider) =>
      guardProvider(provider, {
        timeoutMs: conditionMs,
        breaker: { failures: 1_000, coolDownMs: 1 },
      }),
  ],
];

/**
 * Every adapter passes this suite against its provider, or what stands in for it, alone and behind its guard.
 * @param missing why it cannot be run here, if it cannot
 */
export function describeConformance(
  name: string,
  given: ConformanceCase,
  missing: string | null = null,
): void {
  if (missing !== null) {
    it(`${name} conforms to the provider port: ${missing}`, ({ skip }) => skip());
    return;
  }
  describe.each(wraps)(`${name}%s conforms to the provider port`, (_where, wrap) => {
    let world: ConformanceWorld;
    beforeAll(async () => {
      world = await startConformanceWorld(given.start, wrap);
    });
    // A test that failed leaves no trouble to the next one.
    beforeEach(() => world.line.mend());
    afterAll(() => world.close());

    describeCalls(given, () => world);
    describeFailures(given, () => world);
    describeEvents(given, () => world);
  });
}
