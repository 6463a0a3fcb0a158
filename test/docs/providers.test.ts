import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeConformance } from '../providers/conformance.ts';
import {
  previousWebhookSecret,
  simulatorAnswers,
  simulatorCase,
} from '../providers/simulator-subject.ts';
import { apiKey, webhookSecret } from '../providers/support.ts';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { makeTenant } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';
import { acmeAdapter } from './acme/adapter.ts';
import { blocksOf } from './blocks.ts';

/*
 * docs/providers.md, followed: an operator sends its mutations as they are shown. The adapter to which it
 * leads passes the conformance suite here. Acme speaks the simulator's protocol.
 */

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/providers.md'), 'utf8');

describeConformance(
  'the adapter of the page',
  simulatorCase(
    (url) =>
      acmeAdapter.connect('acme', {
        ACME_URL: url,
        ACME_API_KEY: apiKey,
        ACME_WEBHOOK_SECRET: webhookSecret,
        ACME_WEBHOOK_SECRET_PREVIOUS: previousWebhookSecret,
      }),
    // It knows the meaning of 422 and 429 alone.
    simulatorAnswers().map((answer) => ({
      ...answer,
      ...(answer.status === 422
        ? answer.code === 'account_closed' && { code: 'provider_rejected' as const }
        : answer.status !== 429 && { verdict: 'unknown' as const, code: 'other' as const }),
    })),
  ),
);

const harness = useHarness({
  worker: false,
  env: {
    LOG_LEVEL: 'silent',
    PROVIDER: 'gateway',
    PROVIDER_URL: 'http://127.0.0.1:9',
    PROVIDER_API_KEY: apiKey,
    PROVIDER_WEBHOOK_SECRET: webhookSecret,
  },
});

it('connects a bank to a business and leads payouts there, as the page shows', async () => {
  const { businessId } = await makeTenant(harness);
  const { key } = await issueOperatorKey(harness.database.pool, 'Ada');
  const [connect = '', route = ''] = blocksOf('docs/providers.md')
    .filter(({ language }) => language === 'graphql')
    .map(({ text }) => text.replace(/biz_\w+/, businessId));
  const made = await harness.graphql(key, connect);
  expect(made.body).toMatchObject({
    data: { operatorBankConnect: { connection: { version: 1 } } },
  });
  const { id } = made.body.data.operatorBankConnect.connection as { id: string };
  const routed = await harness.graphql(key, route.replace(/bcn_\w+/, id));
  expect(routed.body).toMatchObject({ data: { operatorRoutesReplace: { version: 1 } } });
});

it('names files that exist, where the gateway has what Acme is to have', () => {
  const paths = [...page.matchAll(/`((?:src|test|docs|simulator)\/[\w./-]+\.(?:ts|md))`/g)].map(
    ([, path = '']) => path,
  );
  expect(paths.length).toBeGreaterThan(8);
  const missing = paths.filter(
    (path) => !existsSync(join(root, path.replaceAll('providers/acme/', 'providers/gateway/'))),
  );
  expect(missing).toEqual([]);
});

it('shows the registry as it is, with one row more', () => {
  const registry = readFileSync(join(root, 'src/providers/adapters.ts'), 'utf8');
  const rows = (text: string) => /export const adapters = \{([^}]*)\} as const/.exec(text)?.[1];
  const names = (text: string) =>
    rows(text)
      ?.split(',')
      .map((row) => row.trim())
      .filter((row) => row !== '');
  const ours = names(registry) ?? [];
  expect(ours).toContain('gateway: gatewayAdapter');
  expect(names(page)).toEqual([...ours, 'acme: acmeAdapter']);
});
