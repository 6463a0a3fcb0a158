import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { jobScope } from '../../src/access/system.ts';
import { inTransaction } from '../../src/db/pool.ts';
import { registerBankAccount } from '../../src/domain/bank-account/register.ts';
import { replaceBankAccountDetails } from '../../src/domain/bank-account/update.ts';
import { acknowledgeBeneficiary } from '../../src/domain/beneficiary/acknowledge.ts';
import { archiveBeneficiary } from '../../src/domain/beneficiary/archive.ts';
import { createBeneficiary } from '../../src/domain/beneficiary/create.ts';
import { reinstateBeneficiary, suspendBeneficiary } from '../../src/domain/beneficiary/suspend.ts';
import { changeBeneficiary } from '../../src/domain/beneficiary/update.ts';
import { cancelRequest } from '../../src/domain/collection/cancel.ts';
import { expireRequests } from '../../src/domain/collection/expire.ts';
import { inviteBeneficiaries } from '../../src/domain/collection/invite.ts';
import { enrollBeneficiary } from '../../src/domain/enrollment/enroll.ts';
import { applyRecipientEvent } from '../../src/domain/enrollment/recipient-event.ts';
import { findPendingEnrollment, recordOutcome } from '../../src/domain/enrollment/store.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import { newId } from '../../src/values/ids.ts';
import type { Call, Services } from '../../src/process/services.ts';
import { railMessage, type Command, type Fields, type LinkScope } from './payee-model.ts';

/** The ids of what the model knows by its place. */
interface KnownPayee {
  readonly id: string;
  readonly accounts: string[];
  readonly enrollments: string[];
  readonly links: string[];
}

export interface World {
  readonly services: Services;
  /** The owner's, for looks at the rows. */
  readonly owner: Pool;
  /** As the service itself, as an operator and as the provider. */
  readonly calls: Readonly<Record<'service' | 'operator' | 'provider', Call>>;
  readonly payees: KnownPayee[];
}

export async function newWorld(services: Services, owner: Pool, tenantId: string): Promise<World> {
  const system = async (name: string): Promise<Call> => ({
    services,
    scope: await jobScope(services.pool, tenantId, { type: 'system', name }),
  });
  const scope = await jobScope(services.pool, tenantId, { type: 'provider', name: 'simulator' });
  return {
    services,
    owner,
    calls: {
      service: await system('test'),
      operator: await system('operator'),
      provider: { services, scope },
    },
    payees: [],
  };
}

/** One address however it is written; the model knows its number. */
function emailOf(index: number): string {
  const address = `payee-${index >> 1}@example.com`;
  return index & 1 ? address.toUpperCase() : address;
}

/** Two numbers are one address. */
export const sameEmail = (index: number): number => index >> 1;

function inputOf(fields: Partial<Fields>) {
  const { email, postalAddress, ...plain } = fields;
  return {
    ...plain,
    ...(email === undefined ? {} : { email: emailOf(email) }),
    ...(postalAddress === undefined
      ? {}
      : {
          postalAddress:
            postalAddress === null
              ? null
              : { line1: postalAddress, city: 'London', country: 'GB', postalCode: 'N1 9GU' },
        }),
  };
}

/** Numbers by account: each has its own, and keeps it when its details are replaced. */
const numbers = new Map<string, string>();

const newNumber = (): string => String(1_000_000 + numbers.size);

/** Details that can be checked wholly, or in form only. */
function details(validated: boolean, accountNumber: string) {
  const holder = { accountHolderName: 'Ada Lovelace' };
  return validated
    ? {
        ...holder,
        country: 'US',
        currency: 'USD',
        routingCode: '021000021',
        accountNumber,
      }
    : { ...holder, country: 'IN', currency: 'INR', accountNumber };
}

async function create(world: World, command: Command & { kind: 'create' }): Promise<void> {
  const { email, firstName, ...fields } = command.fields;
  const number = newNumber();
  const row = await createBeneficiary(world.calls.service, {
    ...inputOf(fields),
    beneficiaryType: 'person',
    email: emailOf(email),
    firstName,
    lastName: 'Lovelace',
    countryOfResidence: 'GB',
    acknowledged: command.acknowledged,
    ...(command.bankDetails ? { bankDetails: details(true, number) } : {}),
  });
  const { rows } = await world.owner.query<{ id: string }>(
    'SELECT id FROM bank_account WHERE tenant_id = $1 AND beneficiary_id = $2',
    [row.tenantId, row.id],
  );
  for (const { id } of rows) numbers.set(id, number);
  world.payees.push({ id: row.id, accounts: rows.map(({ id }) => id), enrollments: [], links: [] });
}

async function enroll(world: World, payee: KnownPayee, account: string): Promise<void> {
  const { service } = world.calls;
  await enrollBeneficiary(service, payee.id, account);
  const pending = await findPendingEnrollment(world.services.pool, service.scope, payee.id);
  if (pending !== null && !payee.enrollments.includes(pending.id)) {
    payee.enrollments.push(pending.id);
  }
}

async function outcome(world: World, payee: KnownPayee, accepted: boolean): Promise<void> {
  const { pool } = world.services;
  const { scope } = world.calls.service;
  const pending = await findPendingEnrollment(pool, scope, payee.id);
  if (pending === null) return;
  const answer = accepted
    ? { recipientId: `rcp_${pending.id}` }
    : { recipientId: null, failureMessage: railMessage };
  await recordOutcome(pool, scope, pending.id, answer);
}

/** Ends the time of a link that is live, and has the job look. */
async function expire({ services, owner, calls }: World, link: string | undefined): Promise<void> {
  await owner.query(
    `UPDATE collection_request SET created_at = created_at - interval '8 days',
       expires_at = expires_at - interval '8 days'
     WHERE tenant_id = $1 AND id = $2 AND status = 'live'`,
    [calls.service.scope.tenantId, link ?? randomUUID()],
  );
  await expireRequests(services);
}

async function invite(world: World, payee: KnownPayee, scope: LinkScope): Promise<void> {
  // Of two links within a minute the second is refused, which other tests see.
  await world.owner.query(
    `UPDATE collection_request SET created_at = created_at - interval '2 minutes'
     WHERE tenant_id = $1 AND beneficiary_id = $2`,
    [world.calls.service.scope.tenantId, payee.id],
  );
  const invites = [{ beneficiaryId: payee.id, scope }];
  const [result] = await inviteBeneficiaries(world.calls.service, invites);
  if (result === undefined || result.request === null) {
    throw result?.error ?? new Error('one row has one result');
  }
  payee.links.push(result.request.id);
}

async function perform(world: World, command: Command): Promise<void> {
  if (command.kind === 'create') return create(world, command);
  const { service, provider } = world.calls;
  const payee = world.payees[command.payee];
  if (payee === undefined) throw new RangeError('no such payee');
  const { id } = payee;
  const { pool } = world.services;
  switch (command.kind) {
    case 'update':
      return void (await changeBeneficiary(service, id, inputOf(command.change)));
    case 'acknowledge':
      return void (await acknowledgeBeneficiary(service, id));
    case 'archive':
      return void (await archiveBeneficiary(service, id));
    case 'suspend':
    case 'reinstate': {
      const act = command.kind === 'suspend' ? suspendBeneficiary : reinstateBeneficiary;
      const { scope } = world.calls[command.by];
      await inTransaction(pool, (client) => act(client, scope, id, null));
      return;
    }
    case 'register': {
      const given = details(command.validated, newNumber());
      const account = (await registerBankAccount(service, id, given)).account.id;
      numbers.set(account, given.accountNumber);
      payee.accounts.push(account);
      return;
    }
    case 'replace': {
      const account = payee.accounts[command.account] ?? newId('bankAccount');
      const given = details(command.validated, numbers.get(account) ?? newNumber());
      await replaceBankAccountDetails(service, id, account, given);
      return;
    }
    case 'enroll':
      return enroll(world, payee, payee.accounts[command.account] ?? newId('bankAccount'));
    case 'outcome':
      return outcome(world, payee, command.accepted);
    case 'invite':
      return invite(world, payee, command.scope);
    case 'cancelLink':
      await cancelRequest(service, id, payee.links[command.link] ?? randomUUID());
      return;
    case 'expireLink':
      return expire(world, payee.links[command.link]);
    case 'standing': {
      const event = {
        type: command.event,
        reason: null,
        recipientId: await recipientOf(world, payee.enrollments[command.enrollment] ?? ''),
        enrollmentId: payee.enrollments[command.enrollment] ?? newId('enrollment'),
        occurredAt: new Date(Date.UTC(2026, 0, 1, 0, 0, command.at)).toISOString(),
      };
      await inTransaction(pool, (client) => applyRecipientEvent(client, provider.scope, event));
    }
  }
}

/** Whom an enrollment has enrolled; anybody while it has nobody. */
async function recipientOf(world: World, enrollmentId: string): Promise<string> {
  const { rows } = await world.owner.query<{ id: string | null }>(
    'SELECT recipient_id AS id FROM enrollment WHERE tenant_id = $1 AND id = $2',
    [world.calls.provider.scope.tenantId, enrollmentId],
  );
  return rows[0]?.id ?? 'rcp_nobody';
}

/** Does a command with the service; its error code, or null when it was accepted. */
export async function attempt(world: World, command: Command): Promise<string | null> {
  try {
    await perform(world, command);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}
