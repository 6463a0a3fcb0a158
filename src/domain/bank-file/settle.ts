import { jobScope } from '../../access/system.ts';
import { named, namedOfPlatform } from '../../db/named.ts';
import { inTransaction, rows } from '../../db/pool.ts';
import { rowsAcross } from '../../db/reach.ts';
import type { Call, Services } from '../../process/services.ts';
import { bankProviderName } from '../../providers/bank-connection.ts';
import { addBankDays } from '../../values/bank-days/bank-day.ts';
import type { BankCalendar } from '../../values/bank-days/calendars.ts';
import { civilDate, dayNumber } from '../../values/bank-days/civil-date.ts';
import { localDate } from '../../values/bank-days/zone.ts';
import { findConnection } from '../bank-connection/store.ts';
import { keepToldEvents } from '../provider-event/inbox.ts';
import { eventOf, timeOfDay } from './events.ts';

/** The bounds of one run for a connection; the next one does the rest. */
const together = 500;
const mostPages = 20;

/**
 * The latest day on which a debit can have been booked that was not returned for `days` bank days before `today`.
 * @param today `YYYY-MM-DD`, of the connection's wall clock
 */
function settledThrough(calendar: BankCalendar, today: string, days: number): string {
  let day = dayNumber(today) - 1;
  while (addBankDays(calendar, civilDate(day), days) >= today) day -= 1;
  return civilDate(day);
}

/** A payout that was not told of its debit yet keeps its place, and so does one that a person has to look at. */
const dueDebits = named(
  'due_bank_debits',
  ['tenant', 'connection', 'through', 'take'],
  `
    UPDATE bank_match m SET settles = false
    FROM (
      SELECT d.attempt_id, p.state, bb.closed_at
      FROM bank_match d
      JOIN payout p ON p.tenant_id = d.tenant_id AND p.id = d.payout_id
      JOIN bank_payment bp ON bp.tenant_id = d.tenant_id AND bp.attempt_id = d.attempt_id
      JOIN bank_batch bb ON bb.tenant_id = bp.tenant_id AND bb.id = bp.batch_id
      WHERE d.tenant_id = @tenant AND d.connection_id = @connection AND d.settles AND d.booked_on <= @through
        AND p.state <> 'approved' AND NOT EXISTS (
          SELECT 1 FROM provider_contradiction c
          WHERE c.tenant_id = @tenant AND c.payout_id = d.payout_id AND c.finding IS NULL
        )
      ORDER BY d.booked_on, d.attempt_id LIMIT @take
      FOR NO KEY UPDATE OF d SKIP LOCKED
    ) due
    WHERE m.tenant_id = @tenant AND m.attempt_id = due.attempt_id AND m.kind = 'debit'
    RETURNING m.attempt_id AS "attemptId", m.amount_minor AS "amountMinor", m.currency,
      m.booked_on AS "bookedOn", due.state, due.closed_at AS "closedAt"`,
);

interface DueDebit {
  readonly attemptId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly bookedOn: string;
  readonly state: string;
  readonly closedAt: Date;
}

/**
 * Settles the payments of a connection whose debit stands on a statement since longer than its `return_bank_days`.
 * The event has the time of the debit, so that a return that the bank books late is no contradiction.
 */
async function settleConnection(call: Call, connectionId: string, now: Date): Promise<number> {
  const { scope, services } = call;
  const connection = await findConnection(services.pool, scope, connectionId);
  if (connection === null) return 0;
  const { calendar, timeZone, returnBankDays } = connection;
  const today = localDate(now, timeZone);
  // The column's CHECK constraint holds the names of the calendars.
  const through = settledThrough(calendar as BankCalendar, today, returnBankDays);
  const values = { tenant: scope.tenantId, connection: connectionId, through, take: together };
  let settled = 0;
  for (let page = 0; page < mostPages; page += 1) {
    const due = await inTransaction(services.pool, async (client) => {
      const found = await rows<DueDebit & Record<string, unknown>>(
        client,
        dueDebits,
        dueDebits.of(values),
      );
      const open = found.filter(({ state }) => state === 'disbursed');
      const events = open.map((debit) =>
        eventOf(scope, debit, {
          eventId: `settled ${debit.attemptId}`,
          type: 'settled',
          occurredAt: timeOfDay(debit.bookedOn, debit),
        }),
      );
      await keepToldEvents(client, bankProviderName(connectionId), events);
      settled += events.length;
      return found.length;
    });
    if (due < together) break;
  }
  return settled;
}

const connections = namedOfPlatform(
  'bank_connections_to_settle',
  ['afterTenant', 'afterId', 'take'],
  `
    SELECT c.tenant_id AS "tenantId", c.id FROM across.bank_connection c
    WHERE (c.tenant_id, c.id) > (@afterTenant, @afterId) AND c.transport <> 'api'
    ORDER BY c.tenant_id, c.id LIMIT @take`,
);

/** Settles the payments of every connection that were not returned in time. Safe to run twice at once. */
export async function settleBankPayouts(
  services: Services,
  now = services.clock.now(),
): Promise<void> {
  let after = { tenantId: '', id: '' };
  let settled = 0;
  for (;;) {
    const values = connections.of({
      afterTenant: after.tenantId,
      afterId: after.id,
      take: together,
    });
    const found = await rowsAcross<{ tenantId: string; id: string }>(
      services.pool,
      connections,
      values,
    );
    for (const { tenantId, id } of found) {
      const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'bank files' });
      settled += await settleConnection({ services, scope }, id, now);
    }
    const last = found.at(-1);
    if (last === undefined || found.length < together) break;
    after = last;
  }
  if (settled > 0) services.log.info({ settled }, 'payments of banks are settled');
}
