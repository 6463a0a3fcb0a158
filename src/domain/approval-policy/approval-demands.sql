-- Part of other commands: tells what a policy demands of a payout with these facts, as an object of
--   effect: block, pass, or require
--   rules: the numbers of the rules that hold, from 1
--   reason: why the first rule that blocks does so
--   demands: of each step of each rule, in the order of the steps; rule 0 is distinct_approver, and null the demand
--     that is made where no rule holds
-- All rules that hold add up; one that blocks beats the others, and one that lets pass beats none.
CREATE OR REPLACE FUNCTION command.approval_demands(
  _rules jsonb,
  _facts jsonb,
  _distinct boolean
) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
  WITH held AS (
    SELECT r.value AS rule, r.ordinality AS number, r.value ->> 'effect' AS effect
    FROM jsonb_array_elements(_rules) WITH ORDINALITY r
    WHERE command.approval_rule_holds(r.value -> 'when', _facts, r.value ->> 'effect' <> 'pass')
  ),
  verdict AS (
    SELECT CASE WHEN bool_or(h.effect = 'block') THEN 'block'
      WHEN NOT _distinct AND bool_and(h.effect = 'pass') THEN 'pass' ELSE 'require' END AS effect,
      coalesce(jsonb_agg(h.number ORDER BY h.number), '[]') AS rules,
      (array_agg(h.rule ->> 'reason' ORDER BY h.number) FILTER (WHERE h.effect = 'block'))[1] AS reason
    FROM held h
  ),
  demand AS (
    SELECT s.value || jsonb_build_object('step', s.ordinality, 'rule', h.number) AS demand
    FROM held h CROSS JOIN LATERAL jsonb_array_elements(h.rule -> 'steps') WITH ORDINALITY s
    WHERE h.effect = 'require'
    UNION ALL
    SELECT command.one_other_approver() || '{"rule": 0}' WHERE _distinct
    UNION ALL
    SELECT command.one_other_approver() WHERE NOT _distinct AND NOT EXISTS (SELECT FROM held)
  )
  SELECT jsonb_strip_nulls(jsonb_build_object('effect', v.effect, 'rules', v.rules, 'reason', v.reason))
    || jsonb_build_object('demands', CASE WHEN v.effect = 'require' THEN (
      SELECT jsonb_agg(d.demand ORDER BY d.demand -> 'step', d.demand -> 'rule') FROM demand d
    ) ELSE '[]'::jsonb END)
  FROM verdict v
$$;
