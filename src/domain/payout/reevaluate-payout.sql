-- Judges a payout that waits for its approval anew, by the policy in force, and writes down what it demands as another
-- round: approvals of the rounds before count no more. No row for a payout in another state; `effect` is NULL where the
-- tenant never had a policy. A policy that blocks the payout by now, which its creation was not refused by, changes nothing.
CREATE OR REPLACE FUNCTION command.reevaluate_payout(
  _tenant text,
  _payout text,
  _states text[],
  _business text,
  _actor jsonb,
  _provider text -- or NULL
) RETURNS TABLE (
  payout public.payout,
  effect text, -- or NULL
  reason text -- or NULL
)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  policy record;
  verdict jsonb;
  demanded boolean;
BEGIN
  SELECT p.* INTO payout FROM public.payout p
  WHERE p.tenant_id = _tenant AND p.id = _payout FOR NO KEY UPDATE;
  IF NOT FOUND OR payout.state <> ALL (_states) THEN
    RETURN;
  END IF;
  SELECT a.version, a.rules, a.sums INTO policy FROM public.approval_policy a
  WHERE a.tenant_id = _tenant ORDER BY a.version DESC LIMIT 1;
  IF policy.version IS NOT NULL THEN
    SELECT b.distinct_approver INTO demanded FROM public.business b WHERE b.id = _business;
    verdict := command.judge_payout(
      _tenant => _tenant, _rules => coalesce(policy.rules, '[]'), _sums => policy.sums, _distinct => demanded,
      _beneficiary => payout.beneficiary_id, _account => payout.bank_account_id,
      _account_version => payout.bank_account_version, _amount_minor => payout.amount_minor,
      _currency => payout.currency, _purpose => payout.purpose_of_payment, _metadata => payout.metadata,
      _actor => payout.created_by, _provider => _provider, _beside_payee => 0, _beside_all => 0, _itself => _payout
    );
    effect := verdict ->> 'effect';
    reason := verdict ->> 'reason';
    IF effect <> 'block' THEN
      INSERT INTO public.payout_requirement (tenant_id, payout_id, round, cause, policy_version, rules, demands, actor)
      SELECT _tenant, _payout, coalesce(max(r.round), 0) + 1, 'asked', policy.version,
        command.integers(verdict -> 'rules'), verdict -> 'demands', _actor
      FROM public.payout_requirement r WHERE r.tenant_id = _tenant AND r.payout_id = _payout;
      PERFORM command.await_expiry(_tenant => _tenant, _payout => _payout, _demands => verdict -> 'demands');
    END IF;
  END IF;
  RETURN NEXT;
END
$$;
