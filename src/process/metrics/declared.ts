/** What is said of a metric. Its object, and its line in docs/operating.md, are made from this. */
export interface Declared {
  readonly kind: 'gauge' | 'counter' | 'histogram';
  /** For people who write alerts: what is counted, in which unit. */
  readonly help: string;
  /** The values of every label are few and known; none names a tenant, a person or a payout. */
  readonly labels: readonly string[];
}

const declared = <L extends string>(kind: Declared['kind'], labels: readonly L[], help: string) =>
  ({ kind, labels, help }) as const;

/** How many rows of one kind are counted at most: a scrape has to stay cheap in an incident too. */
export const countedAtMost = { jobs: 5_000, rows: 1_000, stuck: 25 } as const;

const rowsAtMost = `counted up to ${countedAtMost.rows.toLocaleString('en')}`;

/** What a process counts itself. */
export const countedMetrics = {
  payouts_http_request_duration_seconds: declared(
    'histogram',
    ['route', 'method', 'status'],
    'Duration of answered requests, by route template, method and status.',
  ),
  payouts_graphql_operation_duration_seconds: declared(
    'histogram',
    ['operation', 'type', 'outcome'],
    "Duration of GraphQL operations. operation is the name of one of the service's own documents, which REST runs, or caller for a document that a caller sent; outcome is ok or error.",
  ),
  payouts_provider_call_duration_seconds: declared(
    'histogram',
    ['provider', 'operation', 'outcome'],
    'Duration of calls to payout providers, by operation and outcome.',
  ),
  payouts_job_duration_seconds: declared(
    'histogram',
    ['task', 'outcome'],
    'Duration of ended jobs, by task and outcome.',
  ),
  payouts_webhook_attempts_total: declared(
    'counter',
    ['outcome'],
    'Attempts to deliver a webhook: delivered, answer_3xx, answer_4xx, answer_5xx, or why there was no answer (timeout, connection, dns, tls …).',
  ),
  payouts_mails_refused_total: declared(
    'counter',
    ['kind', 'bound'],
    'Mails that a caller asked for and that were not sent, by kind (collection, member, registration, sign_in) and by whose limit was reached (mailbox, tenant).',
  ),
  payouts_database_pool: declared(
    'gauge',
    ['state'],
    'Connections to PostgreSQL: all (total), used and idle ones, and calls that wait for one (waiting).',
  ),
  payouts_provider_circuit: declared(
    'gauge',
    ['provider', 'state'],
    "State of a provider's circuit breaker: 1 for the current state, 0 for the others.",
  ),
  payouts_database_away: declared(
    'gauge',
    [],
    'Whether the process counts the database as away (1), and refuses what needs it.',
  ),
  payouts_database_full: declared(
    'gauge',
    [],
    'Whether the database had no room for what the process wrote, and has none yet (1). Its worker takes no jobs then.',
  ),
  payouts_database_nodes_silent: declared(
    'gauge',
    [],
    'Nodes of a Citus cluster that do not answer the process. It leaves their tenants out of what is done for all tenants. 0 without Citus.',
  ),
  payouts_clock_ahead_seconds: declared(
    'gauge',
    [],
    "How many seconds the clock of the process is ahead of the database's; negative where it is behind, 0 where no difference is certain.",
  ),
  payouts_encryption_key: declared(
    'gauge',
    ['key', 'use'],
    '1 for each key of the keyring that the process has: encrypt for the first one, decrypt for the others.',
  ),
  payouts_encryption_keys_unread: declared(
    'gauge',
    [],
    'Whether the last reading of ENCRYPTION_KEYS_FILE or ENCRYPTION_KEYS_COMMAND failed or gave keys that are not those of the data (1). The keys before it stay in use.',
  ),
  payouts_encryption_keys_wrong: declared(
    'gauge',
    [],
    'Whether the keys in use are not known to be those of the data (1). The process then encrypts nothing.',
  ),
} as const satisfies Record<string, Declared>;

/** What every process reads from the database when it is scraped; take the `max` over the processes. */
export const storedMetrics = {
  payouts_stored_read: declared(
    'gauge',
    [],
    '1 if the metrics below could be read from the database, else 0; they are absent then.',
  ),
  payouts_workers_alive: declared(
    'gauge',
    [],
    'Workers whose heartbeat is recent, as ops.workers shows them.',
  ),
  payouts_schedule_overdue_seconds: declared(
    'gauge',
    ['task'],
    'How long ago a task that runs by the clock should have been started again; also how far in the future its last start is said to lie. 0 while it runs as it should.',
  ),
  payouts_tasks_paused: declared('gauge', [], 'Tasks that an operator has paused.'),
  payouts_jobs: declared(
    'gauge',
    ['task', 'state'],
    `Jobs that have not ended: scheduled, ready, running, retrying (failed, and tried again), failing (failed four times or more) and dead (given up). The first ${countedAtMost.jobs.toLocaleString('en')} jobs are counted.`,
  ),
  payouts_job_oldest_seconds: declared(
    'gauge',
    ['task'],
    'How long the oldest job of a task that is due has waited for a worker.',
  ),
  payouts_open: declared(
    'gauge',
    ['state'],
    `Payouts in a state that is not final, ${rowsAtMost}.`,
  ),
  payouts_open_oldest_seconds: declared(
    'gauge',
    ['state'],
    'How long ago the payout of that state changed last that has stood still for longest. For pending_approval: how long an approval is awaited.',
  ),
  payouts_outcomes_total: declared(
    'counter',
    ['environment', 'provider', 'route', 'state', 'code'],
    'Payouts that ended, each counted once: settled, failed, returned, rejected or canceled. provider is bank for every bank connection, and none where no provider had the payout; route is its currency; code is its failure code.',
  ),
  payouts_approval_tenants: declared(
    'gauge',
    ['age'],
    `Tenants whose payouts wait for an approval (any), and those of which one waits for more than three days (old); the ${countedAtMost.rows.toLocaleString('en')} oldest payouts are judged.`,
  ),
  payouts_nobody_can_approve: declared(
    'gauge',
    [],
    `Payouts that wait for an approval which nobody who is left can give (nobody_can_approve), as the last run of watch_approvals found them, ${rowsAtMost}.`,
  ),
  payouts_stuck: declared(
    'gauge',
    ['reason'],
    `Payouts without progress for a minute, by the reason in ops.stuck_payouts; the ${countedAtMost.stuck} oldest of each kind are judged.`,
  ),
  payouts_contradictions: declared(
    'gauge',
    [],
    `Contradictions of a provider that nobody has examined, ${rowsAtMost}.`,
  ),
  payouts_ledger_imbalances: declared(
    'gauge',
    [],
    `Books of a tenant and currency whose accounts are not zero together, or that hold less than nothing, ${rowsAtMost}. It must be 0; ops.ledger_imbalances looks more closely.`,
  ),
  payouts_funds_short: declared(
    'gauge',
    [],
    `Books of a tenant and currency that hold more for approved payouts than there is, while funds are enforced, ${rowsAtMost}: money went out after the approvals. ops.short_payouts lists the payouts.`,
  ),
  payouts_bank_desk: declared(
    'gauge',
    ['kind'],
    `The exception queue of banks by kind, ${rowsAtMost}: unmatched, stray_answer, unreadable (of the last 24 hours), file_for_person, file_not_sent, file_not_made, files_not_fetched, debit_missing. Their runbook explains each.`,
  ),
  payouts_watchlist_failed: declared(
    'gauge',
    ['kind'],
    'Whether the latest load of a list of sanctions was refused or did not end (1); the version before stays in use then. Absent for a list that nobody loads.',
  ),
  payouts_watchlist_age_days: declared(
    'gauge',
    ['kind'],
    'How many days ago the version of a list of sanctions that is in use was made, by its own date.',
  ),
  payouts_screening_hits: declared(
    'gauge',
    ['age'],
    `Hits of the screening on which nobody has decided, ${rowsAtMost}: any, and those found more than three days ago (old).`,
  ),
  payouts_screening_unconfirmed_seconds: declared(
    'gauge',
    [],
    'For how long the payees of some tenant are not known to be screened against the lists in use. Absent where no list is loaded.',
  ),
  payouts_resolutions_to_confirm: declared(
    'gauge',
    [],
    `Resolutions that wait for a second person, ${rowsAtMost}.`,
  ),
  payouts_changes_to_confirm: declared(
    'gauge',
    [],
    `Changes of where money or secrets go that wait for a second operator, ${rowsAtMost}.`,
  ),
  payouts_provider_event_oldest_seconds: declared(
    'gauge',
    [],
    'How long the oldest event of a provider that is not applied has waited.',
  ),
  payouts_job_outbox_oldest_seconds: declared(
    'gauge',
    [],
    'Age of the oldest job in the outbox; 0 when it is empty. Workers empty it within milliseconds.',
  ),
  payouts_deliveries_due: declared(
    'gauge',
    [],
    `Webhook deliveries whose time has come, ${rowsAtMost}.`,
  ),
  payouts_delivery_due_oldest_seconds: declared(
    'gauge',
    [],
    'How long the oldest webhook delivery that is due has waited.',
  ),
  payouts_delivery_late_tenants: declared(
    'gauge',
    [],
    `Tenants with a webhook delivery that has been due for five minutes; the ${countedAtMost.rows.toLocaleString('en')} oldest are judged.`,
  ),
  payouts_endpoints: declared(
    'gauge',
    [],
    `Endpoints that subscribers have and have not disabled, ${rowsAtMost}.`,
  ),
  payouts_endpoints_failing: declared(
    'gauge',
    [],
    `Subscribers' endpoints whose latest attempt failed, as ops.endpoint_health shows them, ${rowsAtMost}.`,
  ),
  payouts_endpoint_failing_oldest_seconds: declared(
    'gauge',
    [],
    'How long the endpoint fails that fails for longest.',
  ),
  payouts_dead_letters: declared(
    'gauge',
    ['kind'],
    `Deliveries of the last 24 hours and mails whose last attempt has failed, ${rowsAtMost}. Dead jobs are in payouts_jobs.`,
  ),
  payouts_mail_tenants: declared(
    'gauge',
    ['mail'],
    `Tenants with a collection link that is live (any), and those of which the mail of one has used up its attempts (dead); the ${countedAtMost.rows.toLocaleString('en')} latest links are judged.`,
  ),
} as const satisfies Record<string, Declared>;

export type StoredMetric = keyof typeof storedMetrics;

/** Of the metrics that prom-client collects from every process, those that alerts and dashboards use. */
export const processMetrics = {
  nodejs_eventloop_lag_p99_seconds: declared(
    'gauge',
    [],
    'The delay of the event loop that one turn in a hundred exceeds.',
  ),
  process_resident_memory_bytes: declared('gauge', [], 'Memory of the process.'),
  process_cpu_seconds_total: declared('counter', [], 'CPU time of the process.'),
} as const satisfies Record<string, Declared>;
