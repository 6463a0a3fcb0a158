import type { PoolClient } from 'pg';
import type { ProposedChange } from '../../../generated/prisma/client.ts';
import { mailboxKeys } from '../../access/rate-limit/mailbox.ts';
import { operatorId, operatorNamed, type Scope } from '../../access/scope.ts';
import type { IssuedKey } from '../../access/key.ts';
import { operatorWorks } from '../../access/operator-working.ts';
import { unauthorized } from '../../access/refusal.ts';
import { inTransaction } from '../../db/pool.ts';
import { retryOnError } from '../../db/retry.ts';
import type { ErrorCode } from '../../errors/catalogue.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { OperatorCall } from '../../process/services.ts';
import { isId } from '../../values/ids.ts';
import { parseInput } from '../../values/validate.ts';
import { declineHeldFile } from '../bank-file/held.ts';
import { operatorChangeKinds, type OperatorChangeKind } from '../proposed-change/names.ts';
import { openProposal } from '../proposed-change/payload.ts';
import { endChange, isSamePerson, lockChange } from '../proposed-change/store.ts';
import { recordAction, requireTenant } from './action.ts';
import { bankConnect, bankConnectionChange } from './bank-connection.ts';
import { isOfProvider, providerConnect, providerConnectionChange } from './provider-connection.ts';
import { matchedMeanwhile } from './bank-desk.ts';
import { bankFileTake } from './take-bank-file.ts';
import { bankLineMatchOrder } from './match-bank-line.ts';
import { changeAnswer, type ChangeAnswer } from './input.ts';
import { productionKey } from './issue-production-key.ts';
import { applyChange, type Applied, type OperatorChange, type OrderCall } from './order-change.ts';
import { routesReplace } from './routes.ts';
import { memberInvitation } from './send-member-invitation.ts';

/** A proposal after the answer. */
export interface AnsweredChange {
  readonly change: ProposedChange;
  /** Id of what was changed or made; null where it was declined. */
  readonly changedId: string | null;
  /** The key that was made, which is shown here alone; null for every other kind. */
  readonly issuedKey: IssuedKey | null;
}

const conflict = (message: string) => new DomainError('conflict', { message });

/** Carries out what was proposed, and says what of it only the answer shows. */
async function carryOut(
  client: PoolClient,
  call: OrderCall,
  row: ProposedChange,
): Promise<{ readonly applied: Applied<unknown>; readonly issuedKey: IssuedKey | null }> {
  const { scope, services } = call;
  const stored = openProposal(call, row) as object; // as orderChange kept it
  const given = { ...stored, businessId: scope.businessId };
  const apply = <Result>(change: OperatorChange<Result>) =>
    applyChange(client, { scope, services }, change, change.parse(given));
  // A member's proposal is not found by an operator's command.
  switch (row.kind as OperatorChangeKind) {
    case 'bank_connect':
      return {
        applied: await (isOfProvider(stored) ? apply(providerConnect) : apply(bankConnect)),
        issuedKey: null,
      };
    case 'bank_connection_change':
      return {
        applied: await (isOfProvider(stored)
          ? apply(providerConnectionChange)
          : apply(bankConnectionChange)),
        issuedKey: null,
      };
    case 'routes_replace':
      return { applied: await apply(routesReplace), issuedKey: null };
    case 'production_key': {
      const applied = await apply(productionKey);
      return { applied, issuedKey: applied.result };
    }
    case 'member_invitation':
      return { applied: await apply(memberInvitation), issuedKey: null };
    case 'bank_file_take':
      return { applied: await apply(bankFileTake), issuedKey: null };
    case 'bank_line_match':
      return { applied: await apply(bankLineMatchOrder), issuedKey: null };
  }
}

/** The proposal of an operator, locked. Throws not_found, and conflict where it cannot be answered any more. */
async function lockOpen(
  client: PoolClient,
  scope: Scope,
  changeId: string,
): Promise<ProposedChange> {
  const found = isId('proposedChange', changeId) ? await lockChange(client, scope, changeId) : null;
  if (found === null || !(operatorChangeKinds as readonly string[]).includes(found.kind)) {
    throw new DomainError('not_found', { message: 'There is no such proposed change.' });
  }
  if (found.status !== 'waiting') throw conflict(`The change is ${found.status} already.`);
  if (!found.isOpen) throw conflict('The change has expired. Have it proposed again.');
  return found;
}

/** What an order is refused with where what it is about was changed since. Other errors may pass. */
const subjectChanged: ReadonlySet<ErrorCode> = new Set([
  'conflict',
  'forbidden',
  'not_found',
  'unprocessable_entity',
  'validation_failed',
]);

/** What was proposed cannot be carried out any more, so the transaction has to be undone. */
class Stale extends Error {
  readonly scope: Scope;
  readonly error: DomainError;
  constructor(scope: Scope, error: DomainError) {
    super([error.message, ...error.details.map(({ message }) => message)].join(' '));
    this.scope = scope;
    this.error = error;
  }
}

const mostProblem = 500;

/** Ends a proposal as stale; it may be answered in between. Throws conflict. */
async function noteStale(
  { services }: OperatorCall,
  changeId: string,
  { scope, message, error }: Stale,
): Promise<never> {
  const problem = message.slice(0, mostProblem);
  await endChange(services.pool, scope, changeId, { status: 'stale', who: null, problem });
  throw new DomainError('conflict', {
    message: `The change is stale, and nothing was done: ${message}`,
    cause: error,
  });
}

/**
 * Answers a change that another operator proposed. `confirmed`: it is carried out exactly as it was proposed, in
 * the transaction of the answer. `declined`: it ends without an effect; whoever proposed it may decline it too.
 * Throws validation_failed; not_found for the business and the change; unauthorized where the caller's key was revoked a
 * moment ago; conflict where the same person proposed it, where it was answered or has expired, and where `digest` is
 * another. It ends as stale, also with conflict, where whoever proposed it was revoked since, and where the order would
 * be refused today: its subject was changed, a folder is taken, a role is smaller.
 */
export async function answerChange(
  call: OperatorCall,
  given: ChangeAnswer,
): Promise<AnsweredChange> {
  const input = parseInput(changeAnswer, given);
  const { businessId, changeId, digest, answer, reason } = input;
  const { operator, services } = call;
  const who = operatorId(operator.operator);
  // A change may mail somebody, and the key of the hashes is read before the transaction begins.
  await mailboxKeys(services);
  try {
    const work = () =>
      inTransaction(services.pool, async (client) => {
        const scope = await requireTenant(client, operator, businessId, 'production');
        const row = await lockOpen(client, scope, changeId);
        if (!(await operatorWorks(client, who))) {
          throw unauthorized('key_id' in operator.operator ? 'revoked' : 'ended');
        }
        if (Buffer.from(row.digest).toString('hex') !== digest) {
          throw conflict('The digest is not that of the change. Read it again.');
        }
        const confirms = answer === 'confirmed';
        if (confirms && (await isSamePerson(client, row.proposedBy, who))) {
          throw conflict(
            'You proposed this change yourself, and a second person has to confirm it.',
          );
        }
        // A login of the database or of a machine has no end that is told here.
        const isOperator = operatorNamed(row.proposedBy) !== null;
        if (confirms && isOperator && !(await operatorWorks(client, row.proposedBy))) {
          throw new Stale(scope, conflict('Whoever proposed it is an operator no longer.'));
        }
        const done = confirms
          ? await carryOut(client, { scope, services }, row).catch((error: unknown) => {
              if (error instanceof DomainError && subjectChanged.has(error.code)) {
                throw new Stale(scope, error);
              }
              throw error;
            })
          : null;
        if (!confirms && row.kind === 'bank_file_take') {
          await declineHeldFile(client, scope, row.subjectId, reason);
        }
        const change = await endChange(client, scope, changeId, { status: answer, who });
        if (change === null) throw conflict('The change has expired. Have it proposed again.');
        const changedId = done?.applied.subjectId ?? null;
        await recordAction(client, operator, {
          action: 'operatorChangeAnswer',
          businessId,
          environment: 'production',
          subjectId: changeId,
          reason,
          detail: {
            ...done?.applied.detail,
            kind: row.kind,
            subject: row.subjectId,
            answer,
            proposed_by: row.proposedBy,
            ...(changedId !== null && { changed: changedId }),
          },
        });
        return { change, changedId, issuedKey: done?.issuedKey ?? null };
      });
    return await retryOnError(matchedMeanwhile, work);
  } catch (error) {
    if (error instanceof Stale) return noteStale(call, changeId, error);
    throw error;
  }
}
