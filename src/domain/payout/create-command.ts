import { Prisma } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { command } from '../../db/command.ts';
import { jobInsert } from '../../queue/outbox.ts';
import { legalNameSql } from '../beneficiary/identity.ts';
import { decisionInsert } from './decision-sql.ts';
import { gateCase } from './gates.ts';
import { judged, verdict } from './judged.ts';
import { routing, unrouted } from './route-sql.ts';

/*
 * The two functions that create payouts: `create_payout` for one, and `create_payouts` for up to a thousand.
 * Both lock the beneficiary and the bank account against change (FOR SHARE), judge the gates on the locked
 * rows, and claim the idempotency key for `_key_hours` by the database's clock. Then they insert the payout
 * with its first transition record and, where it is approved at once, its decision and its job. A payout that
 * is refused writes nothing, and does not use up its key.
 * Of callers with one key at once, the claim makes the others wait for the first. It then inserts no row for
 * them, and they call again, which finds the existing record.
 * One payout has a function of its own: its statements name single rows, and take the least time.
 */

const input = `n integer, id text, idempotency_key text, request_hash text, beneficiary_id text,
    bank_account_id text, amount_minor bigint, amount text, currency text,
    purpose_of_payment text, external_ref text, validator_strategy text,
    replaces_payout_id text, metadata jsonb, echo_differs boolean, echo_revision integer,
    routing integer, route_refusal text, routed_revision integer, routed_version integer,
    state text, decision jsonb`;

/** What the gates are judged by. */
const asked = `n integer, id text, idempotency_key text, request_hash text, beneficiary_id text,
    bank_account_id text, currency text, replaces_payout_id text, echo_differs boolean, echo_revision integer,
    routing integer, route_refusal text, routed_revision integer, routed_version integer, state text`;

const answer = `TABLE (
  n integer, refusal integer, stale boolean, unrouted boolean, rail_rejection_reason text, existing_id text,
  same_content boolean, passed boolean, payout public.payout
)`;

const select = `r.n, r.refusal, r.stale, r.unrouted, r.rail_rejection_reason AS "railRejectionReason",
  r.existing_id AS "existingId", r.same_content AS "sameContent", r.passed,
  ${columns(Prisma.PayoutScalarFieldEnum, '(r.payout)')}`;

const common = {
  actor: 'jsonb',
  sandbox: 'boolean',
  dryRun: 'boolean',
  business: 'text',
  keyHours: 'integer',
} as const;

const beneficiary = `b.id, b.archived_at, b.compliance_status, b.reacknowledgment_required,
      b.enrollment_status, b.beneficiary_type, b.revision, ${legalNameSql('b')} AS name`;

const account = `a.id, a.beneficiary_id, a.status, a.validation_status, a.rail_rejection_reason,
      a.currency, a.version`;

const funded = `NOT _sandbox OR EXISTS (
      SELECT 1 FROM public.funding_account f WHERE f.tenant_id = _tenant AND f.available_balance_minor > 0
    ) AS funded`;

const predecessor = `p.id, p.state, EXISTS (
      SELECT 1 FROM public.payout s WHERE s.tenant_id = _tenant AND s.replaces_payout_id = p.id
    ) AS replaced`;

/** The columns of a new payout, each with its value by where it comes from. */
function newPayout(from: {
  readonly input: string;
  readonly ben: string;
  readonly acc: string;
  readonly distinctApprover: string;
}): { readonly names: string; readonly values: string } {
  const i = from.input;
  const values = {
    tenant_id: '_tenant',
    id: `${i}.id`,
    beneficiary_id: `${i}.beneficiary_id`,
    beneficiary_name: `${from.ben}.name`,
    beneficiary_type: `${from.ben}.beneficiary_type`,
    bank_account_id: `${i}.bank_account_id`,
    bank_account_version: `${from.acc}.version`,
    amount_minor: `${i}.amount_minor`,
    amount: `${i}.amount`,
    currency: `${i}.currency`,
    purpose_of_payment: `${i}.purpose_of_payment`,
    external_ref: `${i}.external_ref`,
    idempotency_key: `${i}.idempotency_key`,
    validator_strategy: `${i}.validator_strategy`,
    replaces_payout_id: `${i}.replaces_payout_id`,
    metadata: `${i}.metadata`,
    state: `${i}.state`,
    transition_count: '1',
    created_by: '_actor',
    approved_at: `CASE ${i}.state WHEN 'approved' THEN at END`,
    distinct_approver: from.distinctApprover,
  };
  return { names: Object.keys(values).join(', '), values: Object.values(values).join(', ') };
}

const claims =
  'INSERT INTO public.payout_idempotency AS i (tenant_id, idempotency_key, payout_id, request_hash, created_at)';

const clock = `at timestamptz := now();
  kept_since timestamptz(3) := at - make_interval(hours => _key_hours);`;

const one = newPayout({
  input: 'input',
  ben: 'ben',
  acc: 'acc',
  distinctApprover: 'demand.distinct_approver',
});

export const createOne = command({
  name: 'create_payout',
  comment: 'Creates one payout (src/domain/payout/create-command.ts). It answers with one row.',
  parameters: { tenant: 'text', payout: 'jsonb', ...common },
  returns: answer,
  select,
  declare: `
  ${clock}
  input record;
  existing record;
  ben record;
  acc record;
  pred record;
  wallet record;
  demand record;
  examined boolean;`,
  body: `
  SELECT * INTO input FROM jsonb_to_record(_payout) AS r (
    ${input}
  );
  n := input.n;
  stale := false;
  unrouted := false;
  passed := false;
  SELECT i.payout_id, i.request_hash = decode(input.request_hash, 'hex') AS same INTO existing
  FROM public.payout_idempotency i
  WHERE i.tenant_id = _tenant AND i.idempotency_key = input.idempotency_key AND i.created_at > kept_since;
  IF FOUND THEN
    existing_id := existing.payout_id;
    same_content := existing.same;
    RETURN NEXT;
    RETURN;
  END IF;

  SELECT ${beneficiary}
  INTO ben FROM public.beneficiary b WHERE b.tenant_id = _tenant AND b.id = input.beneficiary_id FOR SHARE;
  SELECT ${account}
  INTO acc FROM public.bank_account a WHERE a.tenant_id = _tenant AND a.id = input.bank_account_id FOR SHARE;
  SELECT ${funded}, ${routing} INTO wallet;
  SELECT b.distinct_approver INTO demand FROM public.business b WHERE b.id = _business;
  IF input.replaces_payout_id IS NULL THEN
    SELECT NULL::text AS id, NULL::text AS state, false AS replaced, false AS contradicted INTO pred;
  ELSE
    examined := ops.is_contradicted(_tenant, input.replaces_payout_id);
    SELECT ${predecessor}, examined AS contradicted
    INTO pred FROM public.payout p WHERE p.tenant_id = _tenant AND p.id = input.replaces_payout_id;
  END IF;
  refusal := ${gateCase()};
  stale := coalesce(ben.revision <> input.echo_revision, false);
  unrouted := ${unrouted};
  rail_rejection_reason := acc.rail_rejection_reason;
  IF refusal IS NOT NULL OR stale OR unrouted OR _dry_run THEN
    passed := refusal IS NULL AND NOT stale AND NOT unrouted;
    RETURN NEXT;
    RETURN;
  END IF;
  ${claims}
  VALUES (_tenant, input.idempotency_key, input.id, decode(input.request_hash, 'hex'), at)
  ON CONFLICT (tenant_id, idempotency_key) DO UPDATE
    SET payout_id = excluded.payout_id, request_hash = excluded.request_hash, created_at = excluded.created_at
    WHERE i.created_at <= kept_since;
  IF FOUND THEN
    INSERT INTO public.payout AS p (${one.names})
    VALUES (${one.values})
    RETURNING p.* INTO payout;
    INSERT INTO public.payout_transition (tenant_id, payout_id, seq, from_state, to_state, actor)
    VALUES (_tenant, input.id, 1, 'new', input.state, _actor);
    IF input.decision IS NOT NULL THEN
      ${decisionInsert({ json: 'input.decision', payout: 'input.id', at: 'at' })};
    END IF;
    IF input.state = 'approved' THEN
      ${jobInsert({
        task: 'disburse_payout',
        tenant: '_tenant',
        payload: { payoutId: 'input.id' },
        trace: "input.decision -> '_trace'",
      })}
      PERFORM command.post_entries(
        _tenant => _tenant, _currency => input.currency, _from => 'new', _to => 'approved',
        _payouts => ARRAY[input.id], _seqs => ARRAY[1], _amounts => ARRAY[input.amount_minor]
      );
    END IF;
  END IF;
  RETURN NEXT;`,
});

const many = newPayout({ input: 'i', ben: 'v', acc: 'v', distinctApprover: 'demanded' });

/** SQLSTATE of our own, to leave the block that has claimed keys. */
const undone = 'PO001';

export const createMany = command({
  name: 'create_payouts',
  comment: `Creates payouts of which no two have the same key or predecessor (src/domain/payout/create-command.ts).
-- It answers with a row for each. If _atomic, it creates all or none.`,
  parameters: { tenant: 'text', payouts: 'jsonb', atomic: 'boolean', ...common },
  returns: answer,
  select,
  declare: `
  ${clock}
  contradicted text[] := '{}';
  named record;
  held record;
  demanded boolean;
  numbers integer[];
  ids text[];
  keys text[];
  hashes bytea[];
  states text[];
  names text[];
  types text[];
  versions integer[];
  refusals integer[];
  stales boolean[];
  unroutes boolean[];
  reasons text[];
  existing_ids text[];
  sames boolean[];
  wants boolean[];
  makes boolean[];
  passes boolean[];
  wanted integer;
  claimed integer := 0;
  unwritten boolean;
  outdated boolean;`,
  body: `
  FOR named IN
    SELECT r.replaces_payout_id AS id FROM jsonb_to_recordset(_payouts) AS r (replaces_payout_id text)
    WHERE r.replaces_payout_id IS NOT NULL
  LOOP
    IF ops.is_contradicted(_tenant, named.id) THEN
      contradicted := contradicted || named.id;
    END IF;
  END LOOP;

  WITH input AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(_payouts) AS r (
    ${asked}
    )
  ),
  existing AS (
    SELECT i.idempotency_key, i.payout_id, i.request_hash, i.created_at <= kept_since AS outdated
    FROM public.payout_idempotency i
    WHERE i.tenant_id = _tenant AND i.idempotency_key = ANY (ARRAY(SELECT input.idempotency_key FROM input))
  ),
  ben AS (
    SELECT ${beneficiary}
    FROM public.beneficiary b
    WHERE b.tenant_id = _tenant AND b.id = ANY (ARRAY(SELECT input.beneficiary_id FROM input)) FOR SHARE
  ),
  acc AS (
    SELECT ${account}
    FROM public.bank_account a
    WHERE a.tenant_id = _tenant AND a.id = ANY (ARRAY(SELECT input.bank_account_id FROM input)) FOR SHARE
  ),
  pred AS (
    SELECT ${predecessor}, p.id = ANY (contradicted) AS contradicted
    FROM public.payout p
    WHERE p.tenant_id = _tenant AND p.id = ANY (ARRAY(SELECT input.replaces_payout_id FROM input))
  ),
  wallet AS (
    SELECT ${funded}, ${routing}
  ),
  demand AS (
    SELECT b.distinct_approver FROM public.business b WHERE b.id = _business
  )
  SELECT ${Object.entries(verdict)
    .map(([column]) => `array_agg(v.${column})`)
    .join(', ')},
    count(*) FILTER (WHERE v.wanted),
    _dry_run OR (_atomic AND coalesce(bool_or(
      CASE WHEN v.existing_id IS NULL THEN v.refusal IS NOT NULL OR v.stale OR v.unrouted ELSE NOT v.same_content END
    ), false)),
    bool_or(v.distinct_approver),
    EXISTS (SELECT 1 FROM existing WHERE existing.outdated)
  INTO ${Object.values(verdict).join(', ')}, wanted, unwritten, demanded, outdated
  FROM (
    SELECT j.*, j.refusal IS NULL AND NOT j.stale AND NOT j.unrouted AND j.existing_id IS NULL AS wanted FROM (
    SELECT input.n, input.id, input.idempotency_key, decode(input.request_hash, 'hex') AS request_hash, input.state,
      ben.name, ben.beneficiary_type, acc.version, ${gateCase()} AS refusal,
      coalesce(ben.revision <> input.echo_revision, false) AS stale, ${unrouted} AS unrouted,
      acc.rail_rejection_reason,
      existing.payout_id AS existing_id,
      existing.request_hash = decode(input.request_hash, 'hex') AS same_content, demand.distinct_approver
    FROM input CROSS JOIN wallet CROSS JOIN demand
    LEFT JOIN ben ON ben.id = input.beneficiary_id
    LEFT JOIN acc ON acc.id = input.bank_account_id
    LEFT JOIN pred ON pred.id = input.replaces_payout_id
    LEFT JOIN existing ON existing.idempotency_key = input.idempotency_key AND NOT existing.outdated
    ) j
  ) v;

  IF unwritten THEN
    passes := wants;
  ELSIF wanted > 0 THEN
    BEGIN
      -- In the order of the keys: two requests with the same ones cannot wait for each other. Keys that are over go
      -- first, since Citus takes no variable in the ON CONFLICT of an INSERT of many rows.
      IF outdated THEN
        DELETE FROM public.payout_idempotency i
        WHERE i.tenant_id = _tenant AND i.idempotency_key = ANY (ARRAY(
          SELECT o.idempotency_key FROM public.payout_idempotency o
          WHERE o.tenant_id = _tenant AND o.created_at <= kept_since AND o.idempotency_key = ANY (ARRAY(
            SELECT v.idempotency_key FROM ${judged('idempotency_key', 'wanted')} WHERE v.wanted
          ))
          ORDER BY o.idempotency_key COLLATE "C" FOR UPDATE
        ));
      END IF;
      ${claims}
      SELECT _tenant, v.idempotency_key, v.id, v.request_hash, at
      FROM ${judged('id', 'idempotency_key', 'request_hash', 'wanted')}
      WHERE v.wanted ORDER BY v.idempotency_key COLLATE "C"
      ON CONFLICT (tenant_id, idempotency_key) DO NOTHING;
      SELECT count(i.payout_id), array_agg(i.payout_id IS NOT NULL ORDER BY v.place) INTO claimed, makes
      FROM unnest(ids, keys, wants) WITH ORDINALITY AS v (id, idempotency_key, wanted, place)
      LEFT JOIN public.payout_idempotency i
        ON i.tenant_id = _tenant AND i.idempotency_key = v.idempotency_key AND i.payout_id = v.id AND v.wanted;
      IF _atomic AND claimed < wanted THEN
        RAISE EXCEPTION 'a key was claimed by another' USING ERRCODE = '${undone}';
      END IF;
    EXCEPTION WHEN SQLSTATE '${undone}' THEN
      passes := makes;
      makes := NULL;
      claimed := 0;
    END;
  END IF;

  IF claimed > 0 THEN
    INSERT INTO public.payout (${many.names})
    SELECT ${many.values}
    FROM jsonb_to_recordset(_payouts) AS i (${input})
    JOIN ${judged('n', 'name', 'beneficiary_type', 'version', 'made')} ON v.n = i.n
    WHERE v.made;
    INSERT INTO public.payout_transition (tenant_id, payout_id, seq, from_state, to_state, actor)
    SELECT _tenant, v.id, 1, 'new', v.state, _actor FROM ${judged('id', 'state', 'made')} WHERE v.made;
    IF 'approved' = ANY (states) THEN
      ${decisionInsert({
        json: 'i.decision',
        payout: 'i.id',
        at: 'at',
        from: `FROM jsonb_to_recordset(_payouts) AS i (n integer, id text, decision jsonb)
    JOIN ${judged('n', 'made')} ON v.n = i.n
    WHERE v.made AND i.decision IS NOT NULL`,
      })};
      ${jobInsert({
        task: 'disburse_payout',
        tenant: '_tenant',
        payload: { payoutId: 'v.id' },
        trace: "jsonb_path_query_first(_payouts, '$[*].decision._trace')",
        from: `FROM ${judged('id', 'state', 'made')}
    WHERE v.made AND v.state = 'approved'`,
      })}
      -- In the order of the currencies: two requests of an enforced tenant cannot wait for each other.
      FOR held IN
        SELECT i.currency, array_agg(i.id) AS ids, array_agg(1) AS seqs, array_agg(i.amount_minor) AS amounts
        FROM jsonb_to_recordset(_payouts) AS i (n integer, id text, currency text, amount_minor bigint)
        JOIN ${judged('n', 'state', 'made')} ON v.n = i.n
        WHERE v.made AND v.state = 'approved'
        GROUP BY i.currency ORDER BY i.currency
      LOOP
        PERFORM command.post_entries(
          _tenant => _tenant, _currency => held.currency, _from => 'new', _to => 'approved',
          _payouts => held.ids, _seqs => held.seqs, _amounts => held.amounts
        );
      END LOOP;
    END IF;
  END IF;

  RETURN QUERY
  SELECT v.n, v.refusal, v.stale, v.unrouted, v.rail_rejection_reason, v.existing_id, v.same_content,
    coalesce(v.passed, false), p
  FROM ${judged('n', 'id', 'refusal', 'stale', 'unrouted', 'rail_rejection_reason', 'existing_id', 'same_content', 'passed', 'made')}
  LEFT JOIN public.payout p ON p.tenant_id = _tenant AND p.id = v.id AND v.made;`,
});
