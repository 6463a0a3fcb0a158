import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { beneficiaryCalls, person } from '../../support/beneficiaries.ts';
import { ageRequests, bankAccount, files, formCalls, inviteOne } from '../../support/collection.ts';
import { eventually } from '../../support/factory.ts';
import { useHarness, useTenant } from '../../support/use-harness.ts';

let payee: string;

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

beforeAll(async () => {
  payee = await beneficiaryCalls(harness, tenant.key).created(person());
});

async function linkFor(scope: string) {
  await ageRequests(harness, payee);
  return inviteOne(harness, tenant, { beneficiary_id: payee, scope });
}

it('an account that a payee gives again is not there twice; another one with its last digits is', async () => {
  const accounts = async (given: object): Promise<number> => {
    const { token } = await linkFor('bank_details');
    const answer = await formCalls(harness).submit(token, { bankAccount: given });
    expect(answer.body.data.form.state).toBe('submitted');
    const list = `/v1/beneficiaries/${payee}/bank-accounts`;
    const { body } = await harness.rest('GET', list, { key: tenant.key });
    return body.bank_accounts.length;
  };
  expect(await accounts(bankAccount)).toBe(1);
  expect(await accounts({ ...bankAccount, routingCode: '021 000 021' })).toBe(1);
  expect(await accounts({ ...bankAccount, accountNumber: '000923456789' })).toBe(2);
  expect(await accounts({ ...bankAccount, accountType: 'savings' })).toBe(3);
});

it('who has used a link may get the next one at once', async () => {
  const { token } = await linkFor('bank_details');
  const answer = await formCalls(harness).submit(token, { bankAccount });
  expect(answer.body.data.form.state).toBe('submitted');
  const next = await inviteOne(harness, tenant, { beneficiary_id: payee, scope: 'tax_documents' });
  expect(next.token).not.toBe(token);
});

it('of the requests of a beneficiary the latest hundred are listed', async () => {
  const { requestId } = await linkFor('bank_details');
  await harness.database.pool.query(
    `INSERT INTO collection_request
       (tenant_id, id, beneficiary_id, scope, status, expires_at, created_by, created_at, closed_at)
     SELECT tenant_id, gen_random_uuid(), beneficiary_id, scope, 'canceled', expires_at, created_by,
       created_at - make_interval(secs => n), now()
     FROM collection_request, generate_series(1, 150) n WHERE id = $1`,
    [requestId],
  );
  const answer = await harness.graphql(
    tenant.key,
    'query ($id: ID!) { beneficiary(id: $id) { collectionRequests { id state } } }',
    { id: payee },
  );
  const listed = answer.body.data.beneficiary.collectionRequests;
  expect(listed).toHaveLength(100);
  expect(listed[0]).toEqual({ id: requestId, state: 'live' });
});

it('a second file for a link whose first one is still arriving is told to wait', async () => {
  const { token } = await linkFor('tax_documents');
  const path = `/collect/${token}/document`;
  const { host, hostname, port } = new URL(harness.baseUrl);
  const slow = connect(Number(port), hostname);
  await once(slow, 'connect');
  slow.write(
    [
      `POST ${path} HTTP/1.1`,
      `Host: ${host}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 1000',
      '',
      '--x',
    ].join('\r\n'),
  );
  const send = async (): Promise<Response> => {
    const form = new FormData();
    form.set('form_type', 'other');
    form.set('tax_id', '12345');
    form.set('file', new Blob([files.pdf.subarray(0, 4)]), `${randomUUID()}.pdf`);
    return fetch(harness.baseUrl + path, { method: 'POST', body: form, redirect: 'manual' });
  };
  let refused: Response | undefined;
  await eventually(async () => {
    refused = await send();
    return refused.status === 429;
  });
  expect(refused?.headers.get('retry-after')).toBe('10');
  slow.destroy();
  // The file is none, and that is said as soon as the place is free.
  await eventually(async () => (await send()).status === 422);
});
