import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { at, funding, payment, postEntries, sampleEntries } from '../support/given-entries.ts';
import { eventually, makeTenant } from '../support/factory.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const entriesPath = '/v1/funding/entries';

describe('GET /v1/funding/entries/export', () => {
  const harness = useHarness({ worker: false });
  const tenant = useTenant(harness);
  const payoutId = newId('payout');
  const given = sampleEntries(payoutId);
  let ids: string[];

  beforeAll(async () => {
    ids = await postEntries(harness.database.pool, tenant.tenantId, given);
  });

  const header =
    'entry_id,kind,currency,amount_minor,debit_account,credit_account,payout_id,transition_seq,from_state,to_state,source,environment,recorded_at';
  const lines = (...places: number[]): string =>
    places
      .map((place) => {
        const one = given[place];
        const cells = [
          ids[place],
          one?.kind,
          one?.currency ?? 'USD',
          one?.amount,
          one?.debit,
          one?.credit,
          one?.payoutId,
          one?.seq,
          '',
          '',
          one?.source,
          'sandbox',
          one?.recordedAt,
        ];
        return `${cells.join(',')}\r\n`;
      })
      .join('');

  it('is exported as it is filtered, oldest first', async () => {
    const download = async (query: string) =>
      harness.rest('GET', `${entriesPath}/export?${query}`, { key: tenant.key });
    const all = await download('');
    expect(all.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(all.headers.get('content-disposition')).toMatch(
      /^attachment; filename="ledger-entries-sandbox-\d{8}T\d{6}Z\.csv"$/,
    );
    expect(all.text).toBe(`${header}\r\n${lines(0, 1, 2, 3, 4)}`);
    for (const [query, ...places] of [
      ['kind=fee&kind=funding', 0, 1, 4],
      [`payout_id=${payoutId}&recorded_before=${at(3)}`, 2, 3],
      [`recorded_since=${at(1)}&recorded_before=${at(2)}`, 1, 2],
      ['payout_id=nonsense'],
    ] as const) {
      expect((await download(query)).text).toBe(`${header}\r\n${lines(...places)}`);
    }
    expect((await download('kind=unknown')).status).toBe(400);
  });

  it('guards the source of an entry from being run as a formula', async () => {
    const other = await makeTenant(harness);
    await postEntries(harness.database.pool, other.tenantId, [funding(1, { source: '=1+1' })]);
    const { text } = await harness.rest('GET', `${entriesPath}/export`, { key: other.key });
    expect(text).toContain(",'=1+1,");
  });
});

describe('an export of entries by a job', () => {
  const written = useHarness();
  const tenant = useTenant(written);

  it('holds what was asked for, and says so', async () => {
    const { key, tenantId } = tenant;
    const ids = await postEntries(written.database.pool, tenantId, [
      funding(1, { recordedAt: at(0) }),
      ...payment(5, 'external', false),
    ]);
    const ordered = await written.rest(
      'GET',
      `${entriesPath}/export?kind=hold&recorded_since=${at(1)}`,
      {
        key,
        headers: { prefer: 'respond-async' },
      },
    );
    expect(ordered.status).toBe(202);
    expect(ordered.body.export).toMatchObject({
      kind: 'ledger_entries',
      filter: null,
      entries_filter: {
        payout_id: null,
        kind: ['hold'],
        recorded_since: at(1),
        recorded_before: null,
      },
    });
    const location = ordered.headers.get('location') ?? '';
    const file = await eventually(async () => {
      const answer = await written.rest('GET', location, { key });
      return answer.status === 200 && answer;
    });
    expect(
      file.text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0]),
    ).toEqual([ids[1]]);
    const { body } = await written.rest('GET', '/v1/exports?kind=ledger_entries', { key });
    expect(body.exports).toHaveLength(1);
  });

  it.each([
    ['ledger_entries', 'filter', { state: ['settled'] }],
    ['transactions', 'entriesFilter', { kind: ['hold'] }],
    ['beneficiaries', 'entriesFilter', { kind: ['hold'] }],
  ])('of %s takes no %s of another kind', async (kind, field, filter) => {
    const { body } = await written.graphql(
      tenant.key,
      'mutation ($input: ExportCreateInput!) { exportCreate(input: $input) { id } }',
      { input: { kind, [field]: filter } },
    );
    expect(body.errors[0].extensions).toMatchObject({
      code: 'validation_failed',
      details: [{ field, code: 'unknown_field' }],
    });
  });
});
