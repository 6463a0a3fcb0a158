import { createHash } from 'node:crypto';
import { z } from 'zod';
import { operatorId } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { OperatorCall } from '../../process/services.ts';
import { text } from '../../values/fields.ts';
import { parseInput } from '../../values/validate.ts';
import { findConnection } from '../bank-connection/store.ts';
import { storeBankFile, type Stored } from '../bank-file/content.ts';
import { releaseFile, type Hold } from '../bank-file/held.ts';
import { propose } from '../proposed-change/store.ts';
import { recordAction, requireTenant } from './action.ts';
import { bankFileDelivery, type BankFileDelivery } from './input.ts';
import { needsSecond, type OperatorChange, type OrderCall } from './order-change.ts';

const heldOrder = z.strictObject({ businessId: text(), fileId: text(), reason: text(1_000) });

/** Has the worker read a file that was brought to production, once a second operator has confirmed it. */
export const bankFileTake: OperatorChange<null> = {
  kind: 'bank_file_take',
  action: 'operatorBankFileTake',
  told: null,
  parse: (given) => {
    const { businessId, fileId, reason } = parseInput(heldOrder, given);
    return {
      businessId,
      reason,
      decides: true,
      apply: async (client, { scope }) => {
        if (!(await releaseFile(client, scope, fileId))) {
          throw new DomainError('conflict', { message: 'The file does not wait any more.' });
        }
        return { result: null, subjectId: fileId, detail: {}, before: null, after: {} };
      },
    };
  },
};

/** Who brings a file, and why. */
interface Bringer {
  readonly who: string;
  readonly reason: string;
}

/**
 * What has a file wait that a person brings, where it needs a second operator: to production, in an installation that has
 * two. Undefined where it counts at once.
 */
export function holdOf(call: OrderCall, { who, reason }: Bringer): Hold | undefined {
  const { scope, services } = call;
  if (!needsSecond(scope.environment, services)) return undefined;
  return async (client, { id, connectionId, name, sizeBytes, sha256 }) => {
    await propose(client, call, {
      kind: bankFileTake.kind,
      subjectId: id,
      given: { fileId: id, reason },
      shown: { before: null, after: { connectionId, name, sizeBytes, sha256 } },
      reason,
      who,
    });
  };
}

/**
 * Takes a file of a bank that a person brings, such as one of a connection without a transport. It is stored once
 * by its bytes and then read by the worker; where it needs a second operator, once they have confirmed it. At most 15
 * MiB; a larger one is taken by `npm run ops -- take-bank-file`.
 * Throws validation_failed, and not_found for the business and the connection.
 */
export async function operatorTakeBankFile(
  call: OperatorCall,
  given: BankFileDelivery,
): Promise<Stored> {
  const input = parseInput(bankFileDelivery, given);
  const { businessId, environment, connectionId, name, contentBase64, reason } = input;
  const { services, operator } = call;
  const content = Buffer.from(contentBase64, 'base64');
  const scope = await inTransaction(services.pool, async (client) => {
    const tenant = await requireTenant(client, operator, businessId, environment);
    if ((await findConnection(client, tenant, connectionId)) === null) {
      throw new DomainError('not_found', { message: 'The bank connection does not exist.' });
    }
    const sha256 = createHash('sha256').update(content).digest('hex');
    await recordAction(client, operator, {
      action: 'operatorBankFileTake',
      businessId,
      environment,
      subjectId: connectionId,
      reason,
      detail: { sha256, bytes: content.length },
    });
    return tenant;
  });
  async function* bytes() {
    yield await Promise.resolve(content);
  }
  const takenBy = operatorId(operator.operator);
  const place = { scope, services };
  return storeBankFile(place, {
    connectionId,
    name,
    takenBy,
    bytes: bytes(),
    hold: holdOf(place, { who: takenBy, reason }),
  });
}
