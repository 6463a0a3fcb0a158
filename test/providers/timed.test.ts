import { expect, it } from 'vitest';
import { timeProviders } from '../../src/providers/timed.ts';
import { fakeProvider } from '../support/fake-provider.ts';
import type { Providers } from '../../src/providers/registry.ts';

/** A provider whose calls take as long as each says, on a clock of its own. */
function timed() {
  let now = 0;
  const { port } = fakeProvider();
  const slow = {
    ...port,
    enroll: (request: Parameters<typeof port.enroll>[0]) => {
      now += 100;
      return port.enroll(request);
    },
    lookUp: () => {
      now += 20;
      return Promise.reject(new Error('no answer'));
    },
  };
  const providers = {
    forEnvironment: (environment: string) => (environment === 'sandbox' ? slow : null),
    byName: () => slow,
  } as unknown as Providers;
  const view = timeProviders(providers, () => now);
  return { ...view, pass: (ms: number) => void (now += ms) };
}

const recipient = { reference: 'ten_1/enr_1' } as never;

it('counts what the calls took together, also one that failed, and nothing in between', async () => {
  const { providers, tookMs, pass } = timed();
  const provider = providers.forEnvironment('sandbox');
  pass(1_000);
  await provider?.enroll(recipient);
  pass(1_000);
  await expect(
    providers.byName('simulator')?.lookUp({ reference: 'ten_1/dat_1', recipientId: 'rcp_1' }),
  ).rejects.toThrow('no answer');
  expect(tookMs()).toBe(120);
});

it('tells a job that called nobody from one whose calls took no time', () => {
  const { providers, tookMs } = timed();
  expect(providers.forEnvironment('production')).toBeNull();
  expect(tookMs()).toBeNull();
});
