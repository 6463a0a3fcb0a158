-- ── Lists of sanctions (docs/screening.md). ──

CREATE VIEW ops.watchlists AS
SELECT v.kind, v.status, v.sequence, v.listed_on, current_date - v.listed_on AS age_days, v.entries, v.names, v.passed,
  v.added, v.ended, v.sha256, v.problem_code, v.problem, v.loaded_by, v.accepted_because, v.started_at::timestamptz,
  v.ended_at::timestamptz
FROM public.watchlist_version v;
COMMENT ON VIEW ops.watchlists IS 'Every load of a list of sanctions: the version in use (current), those before it (replaced), and those that were refused, with the reason. listed_on is the day that the list states of itself.';
