-- ── Who may use what of the schema ops. ──
-- Everything is granted to the two group roles. The service gets its own functions by src/db/roles.ts.

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ops FROM PUBLIC;

GRANT SELECT ON
  ops.action_log,
  ops.task,
  ops.tasks,
  ops.jobs,
  ops.outbox,
  ops.job_history,
  ops.queue_health,
  ops.paused_tasks,
  ops.workers,
  ops.crontab,
  ops.tenants,
  ops.stuck_payouts,
  ops.provider_health,
  ops.deliveries,
  ops.dead_letters,
  ops.endpoint_health,
  ops.resolutions_to_confirm,
  ops.order_confirmation,
  ops.taken,
  ops.exports,
  ops.export_schedules,
  ops.contradictions,
  ops.balances,
  ops.ledger_imbalances,
  ops.ledger_effect,
  ops.payout_effect,
  ops.access_changes,
  ops.personal_data_records,
  ops.bank_files,
  ops.bank_unmatched_lines,
  ops.bank_amount_differences,
  ops.bank_missing_debits
TO ops_read;

GRANT EXECUTE ON FUNCTION
  ops.jobs_now(text, text, text, text),
  ops.queue_now(),
  ops.workers_now(),
  ops.crontab_now(),
  ops.find(text),
  ops.find_stuck_payouts(interval, integer),
  ops.timeline(text),
  ops.provider_health_now(),
  ops.deliveries_of(text),
  ops.without_addresses(text),
  ops.span_text(interval),
  ops.one_line(text),
  ops.taken_by(text)
TO ops_read;

GRANT EXECUTE ON FUNCTION
  ops.schedule(text, text, timestamptz, text),
  ops.retry_job(bigint, text),
  ops.retry_jobs(text, text, text, boolean, integer, interval, text),
  ops.cancel_job(bigint, text),
  ops.cancel_jobs(text, text, text, text, boolean, integer, text),
  ops.pause_task(text, text),
  ops.resume_task(text, text),
  ops.release_worker(text, text, boolean),
  ops.schedule_export(text, text, jsonb, interval, timestamptz, text),
  ops.end_export_schedule(uuid, text),
  ops.resend_mail(uuid, text),
  ops.look_up_payout(text, text),
  ops.resolve_payout(text, text, text, text, text),
  ops.confirm_resolution(uuid, text),
  ops.decline_resolution(uuid, text),
  ops.take(text, text, boolean),
  ops.release(text, text),
  ops.replay_dead_letters(text, timestamptz, timestamptz, text, boolean, integer, interval, text),
  ops.examine_contradiction(uuid, text, text, text),
  ops.match_bank_line(text, text, text),
  ops.explain_bank_line(text, text, text),
  ops.erase_beneficiary(text, text, text)
TO ops_operate;
