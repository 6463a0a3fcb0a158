import { handlers } from '../../../../jobs/handlers.ts';
import { loadOwn, ownList } from '../../../domain/screening/support.ts';
import type { Harness } from '../../../support/harness.ts';
import type { Cast } from './payees.ts';
import type { Recorder } from './recorder.ts';

/** A payee whom a list of one's own may have, until a person finds that it is somebody else. */
export async function recordScreening(
  record: Recorder,
  { services, database: { pool } }: Harness,
  { key, beneficiaryId }: Cast,
): Promise<void> {
  const { rows } = await pool.query<{ tenant_id: string }>(
    'SELECT tenant_id FROM beneficiary WHERE id = $1',
    [beneficiaryId],
  );
  const tenantId = rows[0]?.tenant_id ?? '';
  await loadOwn(services, ownList('B-1,person,Ada Lovelace,The Countess,1990-04-01,US,,Fraud'), {
    acceptedBecause: 'for the examples',
  });
  await handlers.rescreen({}, services);
  await handlers.rescreen_tenant({ tenantId }, services);
  const get = (path: string, name: string, summary: string) =>
    record.success(name, summary, { method: 'GET', path, key });
  await get('/v1/screening', 'found', 'One list, and one hit that waits');
  const page = await get('/v1/screening/hits?status=open&limit=1', 'page', 'The hit that waits');
  const path = `/v1/screening/hits/${page.body.hits[0].id}`;
  await get(path, 'found', 'A payee beside an entry');
  const ofPayee = `/v1/beneficiaries/${beneficiaryId}/screening`;
  await get(ofPayee, 'found', 'A payee who is kept from being paid');
  await get(`${ofPayee}/results?limit=1`, 'page', 'The latest look');
  const decide = { method: 'POST', path: `${path}/decide`, key };
  await record.success('cleared', 'It is somebody else', {
    ...decide,
    body: {
      verdict: 'cleared',
      reason: 'Born in another town.',
      evidence: 'Passport, in the file of the payee.',
    },
  });
  await record.refusal('A hit that is decided', {
    ...decide,
    body: { verdict: 'confirmed', reason: 'The passport is the same.' },
  });
}
