-- ── Lists of sanctions (docs/screening.md). ──

CREATE VIEW ops.watchlists AS
SELECT v.kind, v.status, v.sequence, v.listed_on, current_date - v.listed_on AS age_days, v.entries, v.names, v.passed,
  v.added, v.ended, v.sha256, v.problem_code, v.problem, v.loaded_by, v.accepted_because, v.started_at::timestamptz,
  v.ended_at::timestamptz
FROM public.watchlist_version v;
COMMENT ON VIEW ops.watchlists IS 'Every load of a list of sanctions: the version in use (current), those before it (replaced), and those that were refused, with the reason. listed_on is the day that the list states of itself.';

CREATE VIEW ops.screening_hits AS
SELECT h.id AS hit_id, h.tenant_id, t.business_id, t.environment, h.beneficiary_id, b.screening AS standing, h.kind AS list,
  h.ref AS entry, h.status, h.score, h.ofac, h.found_at::timestamptz, now() - h.found_at AS age, r.engine,
  r.screened_at::timestamptz, d.decided_at::timestamptz, d.actor AS decided_by
FROM public.screening_hit h
JOIN public.tenant t ON t.id = h.tenant_id
JOIN public.beneficiary b ON b.tenant_id = h.tenant_id AND b.id = h.beneficiary_id
JOIN public.screening_result r ON r.tenant_id = h.tenant_id AND r.id = h.result_id
LEFT JOIN LATERAL (
  SELECT x.decided_at, x.actor FROM public.screening_decision x
  WHERE x.tenant_id = h.tenant_id AND x.hit_id = h.id ORDER BY x.seq DESC LIMIT 1
) d ON true;
COMMENT ON VIEW ops.screening_hits IS 'Payees who may be on a list of sanctions, by ids: what each business has decided (open, cleared, confirmed), or that a later result has it no more (gone). Names are for the business alone.';

CREATE VIEW ops.screening_coverage AS
SELECT s.tenant_id, t.business_id, t.environment, s.max_age_days, s.incomplete_blocks, s.kinds AS lists, s.screened,
  s.target, s.after AS looked_at_last, s.confirmed_at::timestamptz, s.updated_at::timestamptz
FROM public.screening_policy s JOIN public.tenant t ON t.id = s.tenant_id;
COMMENT ON VIEW ops.screening_coverage IS 'How far the payees of each tenant are screened: the version of each list against which all of them are (screened), the pass under way (target), and when they were last known to be up to date (confirmed_at).';
