-- Part of other commands: judges a payout that is to be created by the rules of a policy, and answers as
-- command.approval_demands. What a sum adds up is locked until the transaction ends, in one order for all callers: of two
-- payouts at once that stay under a band by themselves, the second one sees the first. `_beside_payee` and `_beside_all`
-- are the amounts of the same currency in the same request, to the same payee and to all. `_itself` is
-- a payout that is there already, which is judged anew.
CREATE OR REPLACE FUNCTION command.judge_payout(
  _tenant text,
  _rules jsonb,
  _sums jsonb,
  _distinct boolean,
  _beneficiary text,
  _account text,
  _account_version integer,
  _amount_minor bigint,
  _currency text,
  _purpose text,
  _metadata jsonb,
  _actor jsonb,
  _provider text,
  _beside_payee bigint,
  _beside_all bigint,
  _itself text
) RETURNS jsonb
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  at timestamptz := now();
  creator text := _actor ->> 'user_id';
  payee record;
  details timestamptz;
  said_of_name text;
  asked record;
  since timestamptz;
  from_id text;
  total numeric;
  sums jsonb := '{}';
BEGIN
  SELECT b.beneficiary_type AS type, coalesce(b.country_of_residence, b.country_of_incorporation) AS country, b.created_at
  INTO payee FROM public.beneficiary b WHERE b.tenant_id = _tenant AND b.id = _beneficiary;
  SELECT v.created_at INTO details FROM public.bank_account_version v
  WHERE v.tenant_id = _tenant AND v.bank_account_id = _account AND v.version = _account_version;
  SELECT nullif(a.name_check, 'pending') INTO said_of_name FROM public.bank_account a
  WHERE a.tenant_id = _tenant AND a.id = _account AND a.version = _account_version;
  FOR asked IN
    SELECT s.value ->> 'over' AS over, (s.value ->> 'hours')::integer AS hours FROM jsonb_array_elements(_sums) s
    ORDER BY 1, 2
  LOOP
    since := at - make_interval(hours => asked.hours);
    PERFORM pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'approval_sum', _tenant, asked.over,
      CASE asked.over WHEN 'payee' THEN _beneficiary WHEN 'creator' THEN creator END), 0));
    IF asked.over = 'payee' THEN
      from_id := command.payout_ids_from(since);
      SELECT sum(p.amount_minor) INTO total FROM public.payout p
      WHERE p.tenant_id = _tenant AND p.beneficiary_id = _beneficiary AND p.id IS DISTINCT FROM _itself AND p.id > from_id
        AND p.created_at > since AND p.currency = _currency AND (command.is_unfinished(p.state) OR p.state = 'settled');
      total := coalesce(total, 0) + _beside_payee;
    ELSE
      -- The group of a list has the state and the currency (payout.list_group), so the index alone answers for the business.
      SELECT sum(p.amount_minor) INTO total FROM public.payout p
      WHERE p.tenant_id = _tenant AND p.id IS DISTINCT FROM _itself AND p.created_at > since
        AND split_part(p.list_group, ' ', 2) = _currency
        AND (command.is_unfinished(split_part(p.list_group, ' ', 1)) OR split_part(p.list_group, ' ', 1) = 'settled')
        AND (asked.over = 'business' OR p.created_by ->> 'user_id' = creator);
      total := coalesce(total, 0) + _beside_all;
    END IF;
    sums := sums || jsonb_build_object(asked.over || ' ' || asked.hours, total + _amount_minor);
  END LOOP;
  RETURN command.approval_demands(_rules, command.judged_facts(
    _amount_minor, _currency, _purpose, _metadata, payee.type, payee.country, extract(epoch FROM at - payee.created_at),
    extract(epoch FROM at - details), _actor, _provider, sums
  ) || jsonb_build_object('nameCheck', said_of_name), _distinct);
END
$$;
