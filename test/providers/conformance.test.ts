import { adapters, type AdapterName } from '../../src/providers/adapters.ts';
import { adyenCase, adyenMissing } from './adyen/subject.ts';
import { describeConformance } from './conformance.ts';
import type { ConformanceCase } from './conformance/subject.ts';
import { previousWebhookSecret, simulatorCase } from './simulator-subject.ts';
import { stripeCase } from './stripe/subject.ts';
import { apiKey, webhookSecret } from './support.ts';

/** How each adapter of the registry meets its provider; one that has no row does not compile. */
const cases: Record<AdapterName, ConformanceCase & { missing?: string | null }> = {
  adyen: { ...adyenCase, missing: adyenMissing },
  gateway: simulatorCase((url) =>
    adapters.gateway.connect('gateway', {
      PROVIDER_URL: url,
      PROVIDER_API_KEY: apiKey,
      PROVIDER_WEBHOOK_SECRET: webhookSecret,
      PROVIDER_WEBHOOK_SECRET_PREVIOUS: previousWebhookSecret,
    }),
  ),
  stripe: stripeCase,
};

for (const [name, { missing = null, ...given }] of Object.entries(cases)) {
  describeConformance(`the adapter ${name}`, given, missing);
}
