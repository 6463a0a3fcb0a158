import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeConformance } from '../providers/conformance.ts';
import { startSimulatorSubject } from '../providers/simulator-subject.ts';
import { apiKey, webhookSecret } from '../providers/support.ts';
import { acmeAdapter } from './acme/adapter.ts';

/*
 * docs/add-a-provider.md, followed: the code of the page is made from test/docs/acme/, which is
 * type-checked with all tests and passes the conformance suite here. Acme speaks the simulator's
 * protocol.
 */

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/add-a-provider.md'), 'utf8');

describeConformance('the adapter of the page', () =>
  startSimulatorSubject((url) =>
    acmeAdapter.connect('acme', {
      ACME_URL: url,
      ACME_API_KEY: apiKey,
      ACME_WEBHOOK_SECRET: webhookSecret,
    }),
  ),
);

it('names files that exist, where the gateway has what Acme is to have', () => {
  const paths = [...page.matchAll(/`((?:src|test|docs|simulator)\/[\w./-]+\.(?:ts|md))`/g)].map(
    ([, path = '']) => path,
  );
  expect(paths.length).toBeGreaterThan(8);
  const missing = paths.filter(
    (path) => !existsSync(join(root, path.replaceAll('/acme/', '/gateway/'))),
  );
  expect(missing).toEqual([]);
});

it('shows the registry as it is, with one row more', () => {
  const registry = readFileSync(join(root, 'src/providers/registry.ts'), 'utf8');
  const rows = (text: string) => /export const adapters = \{([^}]*)\} as const/.exec(text)?.[1];
  const names = (text: string) =>
    rows(text)
      ?.split(',')
      .map((row) => row.trim());
  const ours = names(registry) ?? [];
  expect(ours).toContain('gateway: gatewayAdapter');
  const shown = names(page)?.filter((row) => row !== '');
  expect(shown).toEqual([...ours, 'acme: acmeAdapter']);
});
