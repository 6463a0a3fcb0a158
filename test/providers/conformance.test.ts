import { adapters, type AdapterName } from '../../src/providers/registry.ts';
import { guardProvider } from '../../src/providers/guard.ts';
import { conditionMs } from '../support/patience.ts';
import { describeConformance, type ConformanceSubject } from './conformance.ts';
import { startSimulatorSubject } from './simulator-subject.ts';
import { apiKey, webhookSecret } from './support.ts';

/** How each adapter of the registry meets its provider; one that has no row does not compile. */
const subjects: Record<AdapterName, () => Promise<ConformanceSubject>> = {
  gateway: () =>
    startSimulatorSubject((url) =>
      adapters.gateway.connect('gateway', {
        PROVIDER_URL: url,
        PROVIDER_API_KEY: apiKey,
        PROVIDER_WEBHOOK_SECRET: webhookSecret,
      }),
    ),
};

for (const [name, start] of Object.entries(subjects)) {
  describeConformance(`the adapter ${name}`, start);
  describeConformance(`the adapter ${name} behind its guard`, async () => {
    const subject = await start();
    const options = { timeoutMs: conditionMs, breaker: { failures: 100, coolDownMs: 1 } };
    return {
      ...subject,
      provider: guardProvider(subject.provider, options),
      unreachable: guardProvider(subject.unreachable, options),
    };
  });
}
