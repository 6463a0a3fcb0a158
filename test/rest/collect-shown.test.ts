import { expect, test } from 'vitest';
import { makePayeeLink } from '../support/payee-link.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false, env: { TAX_DOCUMENT_MAX_MB: '3' } });
const tenant = useTenant(harness);

/** The text of a page as a reader sees it. */
async function read(path: string): Promise<string> {
  const text = await (await fetch(harness.baseUrl + path)).text();
  return text
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .replaceAll('&amp;', '&');
}

test('the pages tell the largest file, as it is set, in each language', async () => {
  const link = await makePayeeLink(harness, tenant, { scope: 'tax_documents' });
  for (const [language, size] of [
    ['en', '3 MB at most'],
    ['de', 'höchstens 3 MB'],
    ['fr', '3 Mo au maximum'],
    ['es', '3 MB como máximo'],
    ['pt', 'no máximo 3 MB'],
  ] as const) {
    for (const step of ['', '/document']) {
      const text = await read(`${link.path}${step}?lang=${language}`);
      expect(text).toContain(size);
      expect(text).not.toContain('{mb}');
    }
  }
  const send = async (mebibytes: number): Promise<{ status: number; text: string }> => {
    const body = new FormData();
    body.set('form_type', 'w9');
    body.set('tax_id', '123-45-6789');
    body.set('file', new Blob([Buffer.alloc(mebibytes * 1_048_576, 'x')]), 'w9.pdf');
    const answer = await fetch(`${harness.baseUrl}${link.path}/document`, { method: 'POST', body });
    return { status: answer.status, text: await answer.text() };
  };
  const large = await send(3.5);
  expect(large.status).toBe(422);
  expect(large.text).toContain('This file is larger than 3 MB.');
  const larger = await send(5);
  expect(larger.status).toBe(413);
  expect(larger.text).toContain('A file may have 3 MB at most.');
});

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
