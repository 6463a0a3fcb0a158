import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { makePayeeLink } from '../support/payee-link.ts';

let harness: Harness;
let tenant: TestTenant;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  tenant = await makeTenant(harness);
});
afterAll(() => harness.close());

/** The text of a page as a reader sees it. */
async function read(path: string): Promise<string> {
  const text = await (await fetch(harness.baseUrl + path)).text();
  return text
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .replaceAll('&amp;', '&');
}

async function profile(body: Record<string, unknown>): Promise<void> {
  const answer = await harness.rest('PUT', '/v1/business/profile', { key: tenant.key, body });
  expect(answer.status).toBe(200);
}

test('the pages name the registered company once the profile tells it, in each language', async () => {
  const link = await makePayeeLink(harness, tenant);
  expect(await read(link.path)).not.toContain('Registered company');

  await profile({ legal_name: 'Åse & Söhne GmbH' });
  expect(await read(link.path)).toContain('Registered company: Åse & Söhne GmbH');

  await profile({ registration_number: 'HRB 123 <b>', country: 'DE' });
  for (const [language, label, country] of [
    ['en', 'Registered company:', 'Germany'],
    ['de', 'Eingetragene Firma:', 'Deutschland'],
    ['fr', 'Société immatriculée :', 'Allemagne'],
    ['es', 'Empresa registrada:', 'Alemania'],
    ['pt', 'Empresa registrada:', 'Alemanha'],
  ] as const) {
    const line = `${label} Åse & Söhne GmbH · HRB 123 &lt;b&gt; · ${country}`;
    for (const step of ['', '/about']) {
      expect(await read(`${link.path}${step}?lang=${language}`)).toContain(line);
    }
  }
});
