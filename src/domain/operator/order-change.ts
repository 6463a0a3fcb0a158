import type { Pool, PoolClient } from 'pg';
import { operatorId, type Environment, type Scope } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import type { Call, OperatorCall, Services } from '../../process/services.ts';
import { tellBusiness, type ToldChange } from '../access/tell.ts';
import type { OperatorChangeKind } from '../proposed-change/names.ts';
import { propose } from '../proposed-change/store.ts';
import { recordAction, requireTenant, type OperatorCommand } from './action.ts';

/*
 * What an operator orders about where money or secrets go. Where the installation has two operators, the order is
 * tried and undone, so that whoever gives it is told what is wrong at once, and kept until a second one confirms it.
 */

/** The tenant that an order is about, with the operator as its actor, and the parts of the process. */
export type OrderCall = Pick<Call, 'scope' | 'services'>;

/** What was done, in the transaction that is still open. */
export interface Applied<Result> {
  readonly result: Result;
  /** Id of what was changed or made. */
  readonly subjectId: string;
  /** Further facts for the record of the operators. */
  readonly detail: Readonly<Record<string, string | number>>;
  /** What a second operator reads before, and the business afterwards; no secret. */
  readonly before: object | null;
  readonly after: object;
  /** What the order does not name and was found: a second operator agrees to it, so it is kept with the order. */
  readonly relied?: object;
}

/** Whether the installation has two operators, so that neither decides such things about production alone. */
const hasTwoOperators = ({ config }: Services): boolean =>
  config.OPERATOR_CONFIRMATION === 'second_person';

/** Whether such a thing waits for a second operator there: in production, where the installation has two. */
export const needsSecond = (environment: Environment, services: Services): boolean =>
  environment === 'production' && hasTwoOperators(services);

/** An order that may need a second operator. */
export interface OperatorChange<Result> {
  readonly kind: OperatorChangeKind;
  readonly action: OperatorCommand;
  /** The parts of a valid input; throws validation_failed. */
  readonly parse: (given: unknown) => {
    readonly businessId: string;
    readonly reason: string;
    /** Whether it decides where money or secrets go: of an order that only stops something, one may be enough. */
    readonly decides: boolean;
    readonly apply: (client: PoolClient, call: OrderCall) => Promise<Applied<Result>>;
  };
  /** Tells the business of it; by default a record of this kind and a mail, and nothing where null. */
  readonly told:
    | null
    | ToldChange['kind']
    | ((client: PoolClient, scope: Scope, subject: string) => Promise<void>);
}

export type ParsedChange<Result> = ReturnType<OperatorChange<Result>['parse']>;

/** Carries an order out in the transaction of `client`, and tells the business where it is about money or secrets. */
export async function applyChange<Result>(
  client: PoolClient,
  call: OrderCall,
  { told }: OperatorChange<Result>,
  { decides, apply }: ParsedChange<Result>,
): Promise<Applied<Result>> {
  const applied = await apply(client, call);
  const { subjectId, before, after } = applied;
  if (!decides || told === null) return applied;
  if (typeof told === 'function') await told(client, call.scope, subjectId);
  else await tellBusiness(client, call.scope, { kind: told, subjectId, before, after });
  return applied;
}

class Undone<Result> extends Error {
  readonly result: Result;
  constructor(result: Result) {
    super('done to see what it comes to, and undone');
    this.result = result;
  }
}

/** Runs `work` in a transaction that is rolled back. Throws what it throws. */
export async function tried<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  try {
    return await inTransaction<Result>(pool, async (client) => {
      throw new Undone(await work(client));
    });
  } catch (error) {
    if (error instanceof Undone) return error.result as Result; // of this very work
    throw error;
  }
}

/**
 * Carries an operator's order out, or has it wait for a second operator: then null. Throws what the order throws,
 * in both cases.
 */
export async function orderChange<Result>(
  call: OperatorCall,
  change: OperatorChange<Result>,
  given: object,
): Promise<Result | null> {
  const { operator, services } = call;
  const parsed = change.parse(given);
  const { businessId, reason } = parsed;
  const inTenant = async (client: PoolClient): Promise<OrderCall> => ({
    scope: await requireTenant(client, operator, businessId, 'production'),
    services,
  });
  if (parsed.decides && hasTwoOperators(services)) {
    const seen = await tried(services.pool, async (client) =>
      applyChange(client, await inTenant(client), change, parsed),
    );
    await keep(call, change, { businessId, reason, given, seen }, inTenant);
    return null;
  }
  return inTransaction(services.pool, async (client) => {
    const { result, subjectId, detail } = await applyChange(
      client,
      await inTenant(client),
      change,
      parsed,
    );
    await recordAction(client, operator, {
      action: change.action,
      businessId,
      environment: 'production',
      subjectId,
      reason,
      detail,
    });
    return result;
  });
}

interface StoredOrder<Result> {
  readonly businessId: string;
  readonly reason: string;
  readonly given: object;
  readonly seen: Applied<Result>;
}

async function keep<Result>(
  { operator, services }: OperatorCall,
  { kind, action }: OperatorChange<Result>,
  { businessId, reason, given, seen }: StoredOrder<Result>,
  inTenant: (client: PoolClient) => Promise<OrderCall>,
): Promise<void> {
  const { before, after, detail } = seen;
  await inTransaction(services.pool, async (client) => {
    const { id } = await propose(client, await inTenant(client), {
      kind,
      // What is yet to be made has no id that lasts: the one of the trial is gone.
      subjectId: before === null ? businessId : seen.subjectId,
      given: { ...given, ...seen.relied },
      shown: { before, after },
      reason,
      who: operatorId(operator.operator),
    });
    await recordAction(client, operator, {
      action,
      businessId,
      environment: 'production',
      subjectId: id,
      reason,
      detail: { ...detail, proposed: id },
    });
  });
}
