import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { jobScope } from '../../../src/access/system.ts';
import { submitCollection } from '../../../src/domain/collection/submit.ts';
import { openDocument } from '../../../src/domain/collection/tax-document-store.ts';
import { newId } from '../../../src/values/ids.ts';
import { newAddress } from '../../support/beneficiaries.ts';
import { inviteOne } from '../../support/collection.ts';
import { makeTenant } from '../../support/factory.ts';
import type { RestAnswer } from '../../support/harness.ts';
import { useHarness, useTenant } from '../../support/use-harness.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

function pdf(size: number): Buffer {
  const [head, tail] = [Buffer.from('%PDF-1.7\n'), Buffer.from('\n%%EOF\n')];
  return Buffer.concat([head, randomBytes(size - head.length - tail.length), tail]);
}

/** Submits a document as the hosted form does: in process, the file as bytes. */
async function submit(file: Buffer): Promise<{ beneficiaryId: string; documentId: string }> {
  const { beneficiaryId, token } = await inviteOne(harness, tenant, {
    email: newAddress(),
    beneficiary_type: 'business',
    business_name: 'Engines Ltd',
    scope: 'tax_documents',
  });
  const { services } = harness;
  const client = { services, clientAddress: null, reportLimit: () => undefined };
  const taxDocument = { taxId: '12-3456789', formType: 'w8bene', file } as const;
  const form = await submitCollection(client, token, { taxDocument });
  expect(form.state).toBe('submitted');
  const list = await harness.rest('GET', `/v1/beneficiaries/${beneficiaryId}/tax-documents`, {
    key: tenant.key,
  });
  return { beneficiaryId, documentId: list.body.tax_documents[0].id };
}

const path = (beneficiaryId: string, documentId: string) =>
  `/v1/beneficiaries/${beneficiaryId}/tax-documents/${documentId}/content`;

it('takes ten megabytes and gives them back', async () => {
  const file = pdf(10 * 1024 * 1024);
  const { beneficiaryId, documentId } = await submit(file);
  const headers = { authorization: `Bearer ${tenant.key}` };
  const url = harness.baseUrl + path(beneficiaryId, documentId);
  const answer = await fetch(url, { headers });
  expect(answer.headers.get('content-length')).toBe(String(file.length));
  expect(Buffer.from(await answer.arrayBuffer()).equals(file)).toBe(true);
  const head = await fetch(url, { method: 'HEAD', headers });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(file.length)]);
});

it('is unknown to others, and under another beneficiary', async () => {
  const own = await submit(pdf(64));
  const other = await submit(pdf(64));
  const stranger = await makeTenant(harness);
  const get = (target: string, key?: string): Promise<RestAnswer> =>
    harness.rest('GET', target, { key });
  const wrong = [
    await get(path(own.beneficiaryId, own.documentId), stranger.key),
    await get(path(other.beneficiaryId, own.documentId), tenant.key),
    await get(path(own.beneficiaryId, newId('taxDocument')), tenant.key),
    await get(path('ben_x', own.documentId), tenant.key),
    await get(path(own.beneficiaryId, 'nonsense'), tenant.key),
  ];
  for (const answer of wrong) {
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
  }
  expect((await get(path(own.beneficiaryId, own.documentId))).status).toBe(401);
  const list = `/v1/beneficiaries/${own.beneficiaryId}/tax-documents`;
  expect((await get(list, stranger.key)).status).toBe(404);
  const viewer = await tenant.keyWithRole('viewer');
  expect((await get(path(own.beneficiaryId, own.documentId), viewer)).status).toBe(200);
});

it('does not open in the place of another document', async () => {
  const [a, b] = [await submit(pdf(64)), await submit(pdf(64))];
  await harness.database.pool.query(
    `UPDATE tax_document d SET content = o.content, content_key_ciphertext = o.content_key_ciphertext
     FROM tax_document o WHERE d.id = $1 AND o.id = $2`,
    [a.documentId, b.documentId],
  );
  const { services } = harness;
  const scope = await jobScope(services.pool, tenant.tenantId, { type: 'system', name: 'test' });
  await expect(openDocument({ services, scope }, a.documentId)).rejects.toThrow();
  const answer = await harness.rest('GET', path(a.beneficiaryId, a.documentId), {
    key: tenant.key,
  });
  expect([answer.status, answer.body.error.code]).toEqual([500, 'internal_error']);
});
