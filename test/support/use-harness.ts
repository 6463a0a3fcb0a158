import { afterAll, beforeAll } from 'vitest';
import { makePayee, makeTenant, type TestPayee, type TestTenant } from './factory.ts';
import { startHarness, type Harness } from './harness.ts';

/*
 * The fixtures of a test file, to be called at its top. Each is filled before the first test, in the
 * order of the calls, so it can be used in hooks and tests and not while the file is loaded.
 */

/** The whole service, from the first test of the file to its last. */
export function useHarness(...given: Parameters<typeof startHarness>): Harness {
  const harness = {} as Harness; // filled before the first test
  beforeAll(async () => {
    Object.assign(harness, await startHarness(...given));
  });
  // A harness that did not start has nothing to end.
  afterAll(() => (harness.close as Harness['close'] | undefined)?.());
  return harness;
}

/** A business of its own. */
export function useTenant(
  harness: Harness,
  options?: Parameters<typeof makeTenant>[1],
): TestTenant {
  const tenant = {} as TestTenant; // filled before the first test
  beforeAll(async () => {
    Object.assign(tenant, await makeTenant(harness, options));
  });
  return tenant;
}

/** A payee of the tenant, with an account that can be paid to. */
export function usePayee(
  harness: Harness,
  tenant: TestTenant,
  options?: Parameters<typeof makePayee>[2],
): TestPayee {
  const payee = {} as TestPayee; // filled before the first test
  beforeAll(async () => {
    Object.assign(payee, await makePayee(harness, tenant.key, options));
  });
  return payee;
}
