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
import { routing, unrouted } from './route-sql.ts';

/*
 * The function that creates one payout, as create-command.ts says. Its statements name single rows of one table, which
 * takes the least time and which Citus plans the fastest.
 */

const {
  tenant_id: _tenantId,
  transition_count: first,
  ...given
} = newPayout({
  input: 'input',
  ben: 'ben',
  acc: 'acc',
  distinctApprover: 'demand.distinct_approver',
});

const types = {
  id: 'text',
  beneficiary_id: 'text',
  beneficiary_name: 'text',
  beneficiary_type: 'text',
  bank_account_id: 'text',
  bank_account_version: 'integer',
  amount_minor: 'bigint',
  amount: 'text',
  currency: 'text',
  purpose_of_payment: 'text',
  external_ref: 'text',
  idempotency_key: 'text',
  validator_strategy: 'text',
  replaces_payout_id: 'text',
  metadata: 'jsonb',
  state: 'text',
  created_by: 'jsonb',
  approved_at: 'timestamptz',
  distinct_approver: 'boolean',
} as const satisfies Record<keyof typeof given, string>;

const names = Object.keys(types);

/** A function of its own, because these two are planned once on Citus too (18-distributed-functions.sql). */
export const addPayout = command({
  name: 'add_payout',
  comment: `A part of other commands: inserts a payout with its first transition, and gives its \`updated_at\`
-- (src/domain/payout/create-one-command.ts).`,
  parameters: { tenant: 'text', ...types },
  returns: 'timestamptz',
  declare: 'changed_at timestamptz;',
  body: `
  INSERT INTO public.payout AS p (tenant_id, transition_count, ${names.join(', ')})
  VALUES (_tenant, ${first}, ${names.map((name) => `_${name}`).join(', ')})
  RETURNING p.updated_at INTO changed_at;
  INSERT INTO public.payout_transition (tenant_id, payout_id, seq, from_state, to_state, actor)
  VALUES (_tenant, _id, ${first}, 'new', _state, _created_by);
  RETURN changed_at;`,
});

const decidedTypes = {
  beneficiaryName: 'text',
  beneficiaryType: 'text',
  bankAccountVersion: 'integer',
  distinctApprover: 'boolean',
  metadata: 'jsonb',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
} as const satisfies Record<(typeof decided)[number], string>;

export const createOne = command({
  name: 'create_one_payout',
  comment: 'Creates one payout (src/domain/payout/create-one-command.ts). It answers with one row.',
  parameters: { tenant: 'text', payout: 'jsonb', ...common },
  returns: `TABLE (
  refusal integer, stale boolean, unrouted boolean, rail_rejection_reason text, existing_id text,
  same_content boolean, passed boolean,
  ${decided.map((field) => `${columnName(field)} ${decidedTypes[field]}`).join(', ')}
)`,
  select: `r.refusal, r.stale, r.unrouted, r.rail_rejection_reason AS "railRejectionReason",
  r.existing_id AS "existingId", r.same_content AS "sameContent", r.passed,
  ${decided.map((field) => `r.${columnName(field)} AS "${field}"`).join(', ')}`,
  declare: `
  ${clock}
  input record;
  existing record;
  ben record;
  acc record;
  pred record;
  demand record;
  current_routing integer;
  funded boolean := true;
  claimed boolean := false;
  examined boolean;`,
  body: `
  SELECT * INTO input FROM jsonb_to_record(_payout) AS r (
    ${input}
  );
  SELECT ${beneficiary}
  INTO ben FROM public.beneficiary b WHERE b.tenant_id = _tenant AND b.id = input.beneficiary_id FOR SHARE;
  SELECT ${account}
  INTO acc FROM public.bank_account a WHERE a.tenant_id = _tenant AND a.id = input.bank_account_id FOR SHARE;
  SELECT g.version INTO current_routing ${routing};
  IF _sandbox THEN
    PERFORM 1 ${funds} LIMIT 1;
    funded := FOUND;
  END IF;
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
  passed := refusal IS NULL AND NOT stale AND NOT unrouted;
  IF passed AND NOT _dry_run THEN
    passed := false;
    ${claimInsert}
    VALUES (_tenant, input.idempotency_key, input.id, decode(input.request_hash, 'hex'), at)
    ON CONFLICT (tenant_id, idempotency_key) DO UPDATE
      SET payout_id = excluded.payout_id, request_hash = excluded.request_hash, created_at = excluded.created_at
      WHERE i.created_at <= kept_since;
    claimed := FOUND;
  END IF;
  IF NOT claimed THEN
    SELECT i.payout_id, i.request_hash = decode(input.request_hash, 'hex') AS same INTO existing
    FROM public.payout_idempotency i
    WHERE i.tenant_id = _tenant AND i.idempotency_key = input.idempotency_key AND i.created_at > kept_since;
    existing_id := existing.payout_id;
    same_content := existing.same;
    RETURN NEXT;
    RETURN;
  END IF;

  updated_at := command.add_payout(
    _tenant => _tenant, ${names.map((name) => `_${name} => ${given[name as keyof typeof given]}`).join(', ')}
  );
  created_at := at::timestamptz(3);
  beneficiary_name := ben.name;
  beneficiary_type := ben.beneficiary_type;
  bank_account_version := acc.version;
  distinct_approver := demand.distinct_approver;
  metadata := input.metadata;
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
  RETURN NEXT;`,
});
