-- Part of other commands: tells where the approval of a payout stands, with a row for each demand that was written down
-- for it, in the order of the steps; no row for a payout that no policy demands anything of. For a person (`_user`, who
-- has `_role`) `obstacle` says why their approval would not count for the demand at this moment, and NULL that it would.
-- The approval itself, the queue and the payout's page ask here, so what is shown is what counts.
--
-- An approval counts while the facts are those that it was given for (command.approved_facts) and the payout has not left
-- pending_approval since, once for each person and demand, by the groups that they held when they gave it.
--
-- A person speaks for themselves, or where that counts for nothing, for one who has delegated to them (`on_behalf_of`), by
-- the groups that this one holds now. Who has spoken for somebody speaks for nobody else in the same round, and whom they
-- spoke for has approved as well. `expires_at` is the time at which a step that is open goes back to the first one; NULL
-- where nothing was approved since it last did.
CREATE OR REPLACE FUNCTION command.payout_standing(
  _tenant text,
  _payout text,
  _business text,
  _user text, -- or NULL
  _role text -- or NULL
) RETURNS TABLE (
  place integer,
  rule integer, -- or NULL
  step integer,
  approvals integer,
  counted integer,
  groups text[],
  distinct_from text[],
  excluded text[],
  held text[],
  is_open boolean,
  obstacle text, -- or NULL
  round integer,
  policy_version integer,
  waiting_seq integer,
  facts bytea,
  on_behalf_of text, -- or NULL
  expires_at timestamptz -- or NULL
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  written record;
  paid record;
  voices jsonb;
  delegated jsonb;
  digest bytea;
  apart boolean;
BEGIN
  SELECT r.round, r.cause, r.policy_version, r.demands, r.written_at INTO written FROM public.payout_requirement r
  WHERE r.tenant_id = _tenant AND r.payout_id = _payout ORDER BY r.round DESC LIMIT 1;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT p.amount_minor, p.currency, p.beneficiary_id, p.bank_account_id, p.bank_account_version, p.distinct_approver,
    p.created_by ->> 'user_id' AS creator, p.transition_count AS waiting_seq, t.occurred_at AS waits_since, b.edited_by,
    v.actor ->> 'user_id' AS made_by
  INTO paid FROM public.payout p
  JOIN public.payout_transition t ON t.tenant_id = _tenant AND t.payout_id = p.id AND t.seq = p.transition_count
  JOIN public.beneficiary b ON b.tenant_id = _tenant AND b.id = p.beneficiary_id
  JOIN public.bank_account_version v ON v.tenant_id = _tenant AND v.bank_account_id = p.bank_account_id
    AND v.version = p.bank_account_version
  WHERE p.tenant_id = _tenant AND p.id = _payout;
  digest := command.approved_facts(
    paid.amount_minor, paid.currency, paid.beneficiary_id, paid.bank_account_id, paid.bank_account_version
  );
  IF written.demands = '[]' THEN
    written.demands := jsonb_build_array(command.one_other_approver());
  END IF;
  SELECT jsonb_build_array(jsonb_build_object('who', _user, 'groups', to_jsonb(
    coalesce(array_agg(g.id), '{}') || array_remove(ARRAY[_role], NULL)
  ))) INTO voices
  FROM public.approval_group g WHERE g.tenant_id = _tenant AND _user = ANY (g.members);
  IF _user IS NOT NULL THEN
    delegated := command.delegated_voices(_tenant => _tenant, _business => _business, _user => _user);
    voices := voices || coalesce(delegated, '[]');
  END IF;
  SELECT paid.distinct_approver OR b.distinct_approver INTO apart FROM public.business b WHERE b.id = _business;

  RETURN QUERY
  WITH demand AS MATERIALIZED (
    SELECT (d.ordinality - 1)::integer AS place, (d.value ->> 'rule')::integer AS rule, (d.value ->> 'step')::integer AS step,
      (d.value ->> 'approvals')::integer AS approvals, (d.value ->> 'escalateAfterHours')::integer AS hours,
      (d.value ->> 'expiresAfterHours')::integer AS lasts, d.value ->> 'escalateTo' AS escalate_to,
      ARRAY(SELECT jsonb_array_elements_text(d.value -> 'groups')) AS groups,
      ARRAY(SELECT jsonb_array_elements_text(d.value -> 'distinctFrom')) AS distinct_from
    FROM jsonb_array_elements(written.demands) WITH ORDINALITY d
  ),
  given AS MATERIALIZED (
    SELECT e.submitted_by ->> 'user_id' AS who, coalesce(e.on_behalf_of, e.submitted_by ->> 'user_id') AS speaks_for,
      e.submitted_at, u.place, demand.step
    FROM public.payout_decision e CROSS JOIN LATERAL unnest(e.demands) AS u (place)
    JOIN demand ON demand.place = u.place
    WHERE e.tenant_id = _tenant AND e.payout_id = _payout AND e.round = written.round
      AND e.waiting_seq = paid.waiting_seq AND e.facts = digest
      -- Who has edited the payee or the account after they approved has approved something else.
      AND NOT ('payee_editor' = ANY (demand.distinct_from)
        AND coalesce(paid.edited_by IN (e.submitted_by ->> 'user_id', e.on_behalf_of), false))
      AND NOT ('account_changer' = ANY (demand.distinct_from)
        AND coalesce(paid.made_by IN (e.submitted_by ->> 'user_id', e.on_behalf_of), false))
  ),
  standing AS MATERIALIZED (
    SELECT demand.*, (SELECT count(DISTINCT g.who) FROM given g WHERE g.place = demand.place)::integer AS counted
    FROM demand
  ),
  present AS MATERIALIZED (
    SELECT min(s.step) AS step, coalesce(
      (SELECT max(g.submitted_at) FROM given g WHERE g.step < min(s.step)),
      greatest(written.written_at, paid.waits_since)
    ) AS since,
    CASE WHEN written.cause = 'expired' THEN (SELECT min(g.submitted_at) FROM given g)
      ELSE greatest(written.written_at, paid.waits_since) END AS begun
    FROM standing s WHERE s.counted < s.approvals
  ),
  widened AS (
    SELECT s.*, coalesce(s.step = c.step AND s.counted < s.approvals, false) AS is_open,
      CASE WHEN s.step = c.step AND now() >= c.since + make_interval(hours => s.hours)
        THEN s.groups || s.escalate_to ELSE s.groups END AS asked,
      CASE WHEN s.step = c.step AND s.counted < s.approvals AND c.begun IS NOT NULL
        THEN greatest(c.since, c.begun) + make_interval(hours => s.lasts) END AS expires_at
    FROM standing s CROSS JOIN present c
  ),
  -- Whose approval does not count for the demand, whatever groups they hold, with the reason.
  apart_from AS MATERIALIZED (
    SELECT w.place, x.who, x.why FROM widened w CROSS JOIN LATERAL (
      SELECT paid.creator AS who, 'creator' AS why WHERE apart OR 'creator' = ANY (w.distinct_from)
      UNION ALL SELECT paid.edited_by, 'payee_editor' WHERE 'payee_editor' = ANY (w.distinct_from)
      UNION ALL SELECT paid.made_by, 'account_changer' WHERE 'account_changer' = ANY (w.distinct_from)
      UNION ALL SELECT p.who, 'earlier_approver' FROM given g CROSS JOIN LATERAL (VALUES (g.who), (g.speaks_for)) p (who)
        WHERE 'earlier_approvers' = ANY (w.distinct_from) AND g.step < w.step
      UNION ALL SELECT p.who, 'already_approved' FROM given g CROSS JOIN LATERAL (VALUES (g.who), (g.speaks_for)) p (who)
        WHERE g.place = w.place
    ) x
    WHERE x.who IS NOT NULL
  ),
  voice AS MATERIALIZED (
    SELECT v.ordinality AS rank, v.value ->> 'who' AS who,
      ARRAY(SELECT jsonb_array_elements_text(v.value -> 'groups')) AS groups
    FROM jsonb_array_elements(voices) WITH ORDINALITY v
  ),
  spoken AS (
    SELECT w.*, v.rank, v.who, ARRAY(SELECT m FROM unnest(v.groups) m WHERE m = ANY (w.asked)) AS held,
      CASE WHEN NOT w.is_open THEN 'not_open'
        WHEN _user IS NULL THEN 'not_in_group'
        ELSE coalesce(
          (SELECT a.why FROM apart_from a WHERE a.place = w.place AND a.who IN (_user, v.who) LIMIT 1),
          CASE WHEN v.rank > 1 AND paid.creator IN (_user, v.who) THEN 'creator' END,
          (SELECT CASE WHEN g.step < w.step THEN 'earlier_approver' ELSE 'already_approved' END FROM given g
            WHERE g.who = _user AND g.speaks_for <> v.who LIMIT 1),
          CASE WHEN NOT v.groups && w.asked THEN 'not_in_group' END
        )
      END AS obstacle
    FROM widened w CROSS JOIN voice v
  ),
  chosen AS (
    SELECT coalesce(
      min(s.rank) FILTER (WHERE s.obstacle IS NULL),
      min(s.rank) FILTER (WHERE s.obstacle NOT IN ('not_open', 'not_in_group')),
      1
    ) AS rank
    FROM spoken s
  )
  SELECT s.place, s.rule, s.step, s.approvals, s.counted, s.asked, s.distinct_from,
    ARRAY(
      SELECT a.who FROM apart_from a WHERE a.place = s.place
      UNION SELECT g.who FROM given g WHERE g.who <> g.speaks_for
    ),
    s.held, s.is_open, s.obstacle, written.round, written.policy_version, paid.waiting_seq, digest,
    CASE WHEN s.rank > 1 AND s.obstacle IS NULL THEN s.who END, s.expires_at
  FROM spoken s JOIN chosen c ON c.rank = s.rank ORDER BY s.step, s.place;
END
$$;
