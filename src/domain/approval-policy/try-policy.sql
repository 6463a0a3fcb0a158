-- Tries rules on payouts that were created since a time, those that follow `_after` by their ids, up to `_take`, and gives
-- what they would have demanded of each: payouts of which they demand the same, and that the same people made, are one
-- row, with their number and the first ids of them. It judges by the functions that judge a payout at its creation; a sum
-- is that of its creation, of the payouts as they have ended by now.
--
-- Sums are added up once for the page and the window before it, in one pass for each that the rules ask for. It locks
-- nothing.
CREATE OR REPLACE FUNCTION command.try_policy(
  _tenant text,
  _business text,
  _rules jsonb,
  _sums jsonb,
  _since timestamptz,
  _after text, -- or NULL
  _take integer,
  _provider text -- or NULL
) RETURNS TABLE (
  verdict jsonb,
  creator text, -- or NULL
  payee_editor text, -- or NULL
  account_changer text, -- or NULL
  payouts integer,
  sample text[],
  last_id text
)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  from_id text := greatest(_after, command.payout_ids_from(_since));
  lowest text;
  to_id text;
  longest interval;
  demanded boolean;
  adds text;
  one record;
  verdicts jsonb[] := '{}';
  creators text[] := '{}';
  editors text[] := '{}';
  makers text[] := '{}';
  ids text[] := '{}';
BEGIN
  SELECT b.distinct_approver INTO demanded FROM public.business b WHERE b.id = _business;
  SELECT max(p.id) INTO to_id FROM (
    SELECT o.id FROM public.payout o WHERE o.tenant_id = _tenant AND o.id > from_id ORDER BY o.id LIMIT _take
  ) p;
  IF to_id IS NULL THEN
    RETURN;
  END IF;
  SELECT coalesce(make_interval(hours => max((s.value ->> 'hours')::integer)), '0'), coalesce(string_agg(format(
    ', %L, coalesce(sum(CASE WHEN b.counts THEN b.amount_minor END) OVER (PARTITION BY %s b.currency ORDER BY b.created_at '
      || 'RANGE BETWEEN %L::interval PRECEDING AND CURRENT ROW), 0) + CASE WHEN b.counts THEN 0 ELSE b.amount_minor END',
    concat_ws(' ', s.value ->> 'over', s.value ->> 'hours'),
    CASE s.value ->> 'over' WHEN 'payee' THEN 'b.beneficiary_id,' WHEN 'creator' THEN 'b.creator,' ELSE '' END,
    make_interval(hours => (s.value ->> 'hours')::integer) - interval '1 millisecond'
  ), ''), '') INTO longest, adds
  FROM jsonb_array_elements(_sums) s;
  SELECT f.created_at - longest AS since INTO one FROM public.payout f
  WHERE f.tenant_id = _tenant AND f.id > from_id ORDER BY f.id LIMIT 1;
  lowest := least(from_id, command.payout_ids_from(one.since - interval '1 minute'));
  FOR one IN EXECUTE format($query$
    WITH base AS MATERIALIZED (
      SELECT p.id, p.created_at, p.currency, p.amount_minor, p.beneficiary_id, p.created_by ->> 'user_id' AS creator,
        command.is_unfinished(p.state) OR p.state = 'settled' AS counts
      FROM public.payout p WHERE p.tenant_id = $1 AND p.id > $4 AND p.id <= $3
    ),
    added AS MATERIALIZED (
      SELECT b.id, jsonb_build_object('', 0 %s) - '' AS sums FROM base b
    )
    SELECT p.id, p.amount_minor, p.currency, p.purpose_of_payment, p.metadata, p.created_by, p.provider, a.sums,
      b.beneficiary_type, coalesce(b.country_of_residence, b.country_of_incorporation) AS country, b.edited_by,
      extract(epoch FROM p.created_at - b.created_at) AS payee_seconds,
      extract(epoch FROM p.created_at - v.created_at) AS account_seconds, v.actor ->> 'user_id' AS made_by,
      (
        SELECT n.result FROM public.name_check n
        WHERE n.tenant_id = $1 AND n.bank_account_id = p.bank_account_id AND n.version = p.bank_account_version
        ORDER BY n.id DESC LIMIT 1
      ) AS name_check
    FROM added a
    JOIN public.payout p ON p.tenant_id = $1 AND p.id = a.id
    JOIN public.beneficiary b ON b.tenant_id = $1 AND b.id = p.beneficiary_id
    JOIN public.bank_account_version v ON v.tenant_id = $1 AND v.bank_account_id = p.bank_account_id
      AND v.version = p.bank_account_version
    WHERE a.id > $2
  $query$, adds) USING _tenant, from_id, to_id, lowest
  LOOP
    verdicts := verdicts || command.approval_demands(_rules, command.judged_facts(
      one.amount_minor, one.currency, one.purpose_of_payment, one.metadata, one.beneficiary_type, one.country,
      one.payee_seconds, one.account_seconds, one.created_by, coalesce(one.provider, _provider), one.sums
    ) || jsonb_build_object('nameCheck', one.name_check), demanded);
    ids := ids || one.id;
    creators := creators || (one.created_by ->> 'user_id');
    editors := editors || one.edited_by;
    makers := makers || one.made_by;
  END LOOP;
  RETURN QUERY
  SELECT j.verdict, j.creator, j.editor, j.maker, count(*)::integer, (array_agg(j.id ORDER BY j.id DESC))[1:20], to_id
  FROM unnest(verdicts, creators, editors, makers, ids) AS j (verdict, creator, editor, maker, id)
  GROUP BY j.verdict, j.creator, j.editor, j.maker;
END
$$;
