-- Asks a person who is signed in for a signature over the approval of payouts, and keeps what is to be signed. Payouts that
-- wait for no approval, or whose account changed since their creation, are left out; no row where all are. The challenge is
-- SHA-256 over the domain, the random bytes and the text (challenge.ts says the same).
CREATE OR REPLACE FUNCTION command.begin_step_up(
  _tenant text,
  _id text,
  _payouts text[],
  _business text,
  _user text,
  _session text,
  _nonce bytea,
  _minutes integer
) RETURNS TABLE (
  payouts text[],
  text text,
  challenge bytea,
  expires_at timestamptz
)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  waiting text[];
  one text;
  said text;
  texts text[];
BEGIN
  expires_at := date_trunc('milliseconds', now()) + make_interval(mins => _minutes);
  SELECT array_agg(p.id ORDER BY p.id) INTO waiting FROM public.payout p
  WHERE p.tenant_id = _tenant AND p.id = ANY (_payouts) AND p.state = 'pending_approval';
  FOREACH one IN ARRAY coalesce(waiting, '{}') LOOP
    said := command.approved_text(_tenant => _tenant, _payout => one, _business => _business, _expires => expires_at);
    IF said IS NOT NULL THEN
      payouts := payouts || one;
      texts := texts || said;
    END IF;
  END LOOP;
  IF payouts IS NULL THEN
    RETURN;
  END IF;
  text := CASE WHEN cardinality(texts) = 1 THEN texts[1] ELSE command.batch_text(
    _tenant => _tenant, _business => _business, _payouts => payouts, _texts => texts, _expires => expires_at
  ) END;
  challenge := sha256('payouts/step-up/v1\000'::bytea || _nonce || convert_to(text, 'UTF8'));
  INSERT INTO public.step_up (tenant_id, id, user_id, session_id, text, nonce, challenge, expires_at)
  VALUES (_tenant, _id, _user, _session, text, _nonce, challenge, expires_at);
  INSERT INTO public.step_up_item (tenant_id, step_up_id, payout_id, text)
  SELECT _tenant, _id, i.payout, i.text FROM unnest(payouts, texts) i (payout, text);
  RETURN NEXT;
END
$$;
