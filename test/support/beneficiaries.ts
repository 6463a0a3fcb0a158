import { randomUUID } from 'node:crypto';
import type { Harness, RestAnswer } from './harness.ts';

/** An e-mail address that nobody has yet. */
export const newAddress = (): string => `payee-${randomUUID()}@example.com`;

/** The body of a person with a complete identity. */
export function person(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    beneficiary_type: 'person',
    email: newAddress(),
    first_name: 'Grace',
    last_name: 'Hopper',
    country_of_residence: 'US',
    date_of_birth: '1906-12-09',
    ...more,
  };
}

/** The body of a business with a complete identity. */
export function business(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    beneficiary_type: 'business',
    email: newAddress(),
    business_name: 'Analytical Engines Ltd',
    country_of_incorporation: 'GB',
    registration_number: '01234567',
    ...more,
  };
}

/** The beneficiary endpoints, called with `key` unless another one is named. */
export function beneficiaryCalls(harness: Harness, key: string) {
  const root = '/v1/beneficiaries';
  const post = (body: unknown, as = key): Promise<RestAnswer> =>
    harness.rest('POST', root, { key: as, body });
  return {
    post,
    put: (id: string, body: unknown, as = key) =>
      harness.rest('PUT', `${root}/${id}`, { key: as, body }),
    get: (path: string, as = key) => harness.rest('GET', root + path, { key: as }),
    acknowledge: (id: string, as = key) =>
      harness.rest('POST', `${root}/${id}/compliance-acknowledgment`, { key: as }),
    remove: (id: string, as = key) => harness.rest('DELETE', `${root}/${id}`, { key: as }),
    /** Registers one and gives its id. */
    async created(body: Record<string, unknown>): Promise<string> {
      const answer = await post(body);
      if (answer.status !== 201) throw new Error(`beneficiary: ${answer.text}`);
      return answer.body.beneficiary.id as string;
    },
    /** The records of its compliance: number, kind, from, to, role. */
    async history(id: string): Promise<string[]> {
      const { rows } = await harness.database.pool.query<{ step: string }>(
        `SELECT concat_ws(' ', seq, kind, from_status, to_status, actor ->> 'role') AS step
         FROM beneficiary_transition WHERE beneficiary_id = $1 ORDER BY seq`,
        [id],
      );
      return rows.map((row) => row.step);
    },
    async revisionOf(id: string): Promise<number> {
      const { rows } = await harness.database.pool.query<{ revision: number }>(
        'SELECT revision FROM beneficiary WHERE id = $1',
        [id],
      );
      return rows[0]?.revision ?? 0;
    },
  };
}
