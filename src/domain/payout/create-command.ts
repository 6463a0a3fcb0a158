import { columnName } from '../../db/columns.ts';
import { command } from '../../db/command.ts';
import { jobInsert } from '../../queue/outbox.ts';
import {
  account,
  beneficiary,
  claimInsert,
  clock,
  common,
  decided,
  funds,
  input,
  newPayout,
  predecessor,
} from './create-sql.ts';
import { decisionInsert } from './decision-sql.ts';
import { gateCase } from './gates.ts';
import { judged, verdict } from './judged.ts';
import { routing, unrouted } from './route-sql.ts';

/*
 * The two functions that create payouts: `create_one_payout` for one (create-one-command.ts), and `create_payouts` for
 * up to a thousand.
 * Both lock the beneficiary and the bank account against change (FOR SHARE), judge the gates on the locked
 * rows, and claim the idempotency key for `_key_hours` by the database's clock. Then they insert the payout
 * with its first transition record and, where it is approved at once, its decision and its job. A payout that
 * is refused writes nothing, and does not use up its key.
 * Of callers with one key at once, the claim makes the others wait for the first. It then inserts no row for
 * them, and they find the existing record, or call again.
 * The function for one looks for an existing record only where it did not claim the key.
 */

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
  ${decided.map((field) => `(r.payout).${columnName(field)} AS "${field}"`).join(', ')}`;

const many = newPayout({ input: 'i', ben: 'v', acc: 'v', distinctApprover: 'demanded' });
const names = Object.keys(many).join(', ');
const values = Object.values(many).join(', ');

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
    SELECT NOT _sandbox OR EXISTS (SELECT 1 ${funds}) AS funded, (SELECT g.version ${routing}) AS current_routing
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
      ${claimInsert}
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
    INSERT INTO public.payout (${names})
    SELECT ${values}
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
