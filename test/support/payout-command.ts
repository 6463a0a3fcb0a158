import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createAuthenticate } from '../../src/access/authenticate.ts';
import type { Role } from '../../src/access/roles.ts';
import { isOperator } from '../../src/access/scope.ts';
import { inTransaction } from '../../src/db/pool.ts';
import { decideOnPayout, type Decided } from '../../src/domain/payout/decide.ts';
import type { DecisionInput } from '../../src/domain/payout/decision-input.ts';
import { createPayout } from '../../src/domain/payout/create.ts';
import type { PayoutCreateInput } from '../../src/domain/payout/input.ts';
import { movePayoutTo, type Move } from '../../src/domain/payout/transition.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import type { Config } from '../../src/process/config.ts';
import type { Call, Services } from '../../src/process/services.ts';
import { newUlid } from '../../src/values/ulid.ts';
import type { TestPayee, TestTenant } from './factory.ts';

/** The call of a new member of the tenant's business, with a key of this role. */
export async function memberCall(
  services: Services,
  tenant: TestTenant,
  role: Role,
): Promise<Call> {
  const key = await tenant.keyWithRole(role);
  const known = await createAuthenticate(services.pool)(`Bearer ${key}`);
  if (known === null || isOperator(known.caller)) throw new Error('the key is a member’s');
  return { services, scope: known.caller };
}

/** The same call where some settings differ. */
export function withSettings(call: Call, settings: Partial<Config>): Call {
  const { services } = call;
  return { ...call, services: { ...services, config: { ...services.config, ...settings } } };
}

/** The input of the create command for a payee, under a key of its own. */
export function payoutInput(
  payee: TestPayee,
  more: Partial<PayoutCreateInput> = {},
): PayoutCreateInput & { idempotencyKey: string } {
  return {
    beneficiaryId: payee.beneficiaryId,
    bankAccountId: payee.bankAccountId,
    amountMinor: 125_000,
    currency: 'USD',
    purposeOfPayment: 'contractor_payment',
    idempotencyKey: randomUUID(),
    ...more,
  };
}

/** The id of a new payout of the payee. */
export async function newPayout(
  call: Call,
  payee: TestPayee,
  more: Partial<PayoutCreateInput> = {},
): Promise<string> {
  const { payout } = await createPayout(call, payoutInput(payee, more));
  if (payout === null) throw new Error('no payout was created');
  return payout.id;
}

export function move(call: Call, payoutId: string, how: Move): Promise<unknown> {
  return inTransaction(call.services.pool, (client) =>
    movePayoutTo(client, call.scope, payoutId, how),
  );
}

/** Decides under a decision id of its own. */
export function decide(
  call: Call,
  payoutId: string,
  status: DecisionInput['status'],
  more: Partial<DecisionInput> = {},
): Promise<Decided> {
  const reasons = status === 'rejected' ? [{ message: 'no' }] : [];
  return decideOnPayout(call, payoutId, { decisionId: newUlid(), status, reasons, ...more });
}

/** The code with which the work is refused; fails where it is done, or ends with another error. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await refusalOf(work);
  return error.code;
}

/** The error with which the work is refused. */
export async function refusalOf(work: Promise<unknown>): Promise<DomainError> {
  const error: unknown = await work.then(
    (value) => new Error(`it was done: ${JSON.stringify(value, (_key, v) => String(v))}`),
    (thrown: unknown) => thrown,
  );
  if (error instanceof DomainError) return error;
  throw error;
}

/** What happens to a statement: an error in its place, or an error after it took effect. */
export interface Fault {
  readonly when: 'instead' | 'after';
  readonly error: Error;
}

/** An error as PostgreSQL reports it. */
export function databaseError(code: string, constraint?: string): Error {
  return Object.assign(new pg.DatabaseError(`simulated ${code}`, 0, 'error'), { code, constraint });
}

/**
 * The same call with a database in which the first statements that match meet these faults. A match
 * is the name of a prepared statement, or the text of one without a name, such as COMMIT.
 */
export function withFaults(call: Call, match: RegExp, faults: readonly Fault[]): Call {
  const left = [...faults];
  const wrapped = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(of, property) {
        const value: unknown = Reflect.get(of, property, of);
        if (typeof value !== 'function') return value;
        if (property === 'connect') {
          return async () => wrapped((await (value.call(of) as Promise<object>)) as pg.PoolClient);
        }
        if (property !== 'query') return value.bind(of) as unknown;
        return async (...given: unknown[]) => {
          const [first] = given as [string | { name?: string }];
          const name = typeof first === 'string' ? first : (first.name ?? '');
          const fault = match.test(name) ? left.shift() : undefined;
          if (fault?.when === 'instead') throw fault.error;
          const result: unknown = await (value.apply(of, given) as Promise<unknown>);
          if (fault !== undefined) throw fault.error;
          return result;
        };
      },
    });
  return { ...call, services: { ...call.services, pool: wrapped(call.services.pool) } };
}
