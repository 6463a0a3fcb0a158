import { expect, it } from 'vitest';
import { purposesOfPayment } from '../../src/reference/purposes.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

const get = (path: string, key: string | undefined = tenant.key) =>
  harness.rest('GET', `/v1/reference/${path}`, { key });

it('says what a US account needs, in the names of the bank-account body', async () => {
  const { status, body } = await get('corridors/US');
  expect(status).toBe(200);
  expect(body.corridor).toMatchObject({
    country: 'US',
    payout_usable: true,
    required: ['account_holder_name', 'country', 'currency'],
    options: [
      { validated: true, fields: [{ field: 'routing_code' }, { field: 'account_number' }] },
    ],
  });
  const [{ fields }] = body.corridor.options;
  expect('021000021').toMatch(new RegExp(fields[0].pattern as string));
});

it('says where no account can be paid, and that there is no such country', async () => {
  expect((await get('corridors/jp')).body.corridor).toMatchObject({
    country: 'JP',
    payout_usable: false,
  });
  const unknown = await get('corridors/XX');
  expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found']);
});

it('lists the purposes of payment', async () => {
  expect((await get('purposes')).body).toEqual({ purposes: [...purposesOfPayment] });
});

it('lists who can pay, and what', async () => {
  const { status, body } = await get('providers');
  expect(status).toBe(200);
  const anything = {
    scheme: null,
    currencies: null,
    except_currencies: [],
    countries: null,
    largest_amount_minor: null,
  };
  expect(body.providers).toEqual([
    {
      name: 'simulator',
      connection_id: null,
      connection_name: null,
      enrolls: true,
      checks_names: true,
      estimates_arrival: true,
      tells_fees: false,
      takes_execution_date: false,
      takes_cancellation: false,
      reports_balance: false,
      pays: [anything],
    },
  ]);
});

it('needs a key', async () => {
  const answer = await harness.rest('GET', '/v1/reference/purposes');
  expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized']);
});

it('answers the same over GraphQL', async () => {
  const { body } = await harness.graphql(
    tenant.key,
    '{ purposesOfPayment corridor(country: "DE") { options { fields { field } } } }',
  );
  expect(body.data).toEqual({
    purposesOfPayment: [...purposesOfPayment],
    corridor: { options: [{ fields: [{ field: 'iban' }] }] },
  });
});
