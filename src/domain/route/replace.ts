import type { PoolClient } from 'pg';
import { requirePermission, type Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, inTransaction, rows } from '../../db/pool.ts';
import { DomainError, invalid, type FieldError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import {
  bankProviderName,
  calledProviderName,
  type BankScheme,
} from '../../providers/bank-connection.ts';
import { unpayablePart } from '../../providers/capabilities.ts';
import type { ProviderPort } from '../../providers/port.ts';
import { enqueueMany } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import { parseInput } from '../../values/validate.ts';
import { providerNamed } from '../provider-connection/open.ts';
import { routingInput, type RoutingDraft, type RoutingInput } from './input.ts';
import { readRouting, type Routing } from './store.ts';

/** The first list is made by whoever saw none. */
const claimVersion = named(
  'claim_routing_version',
  ['tenant', 'seen', 'count'],
  `
    INSERT INTO payout_routing AS g (tenant_id, version, routes)
    SELECT @tenant::text, @seen::integer + 1, @count::integer
    WHERE @seen = 0 OR EXISTS (SELECT 1 FROM payout_routing o WHERE o.tenant_id = @tenant)
    ON CONFLICT (tenant_id) DO UPDATE
      SET version = excluded.version, routes = excluded.routes, updated_at = excluded.updated_at
      WHERE g.version = excluded.version - 1
    RETURNING g.version`,
);

/** Locked, so that none of them is closed before the routes to it are there. */
const lockOpen = named(
  'lock_open_bank_connections',
  ['tenant', 'connections'],
  `
    SELECT c.id, c.schemes, c.adapter FROM bank_connection c
    WHERE c.tenant_id = @tenant AND c.id = ANY (@connections::text[]) AND c.status <> 'closed'
    ORDER BY c.id FOR SHARE`,
);

const deleteRoutes = named(
  'delete_payout_routes',
  ['tenant'],
  'DELETE FROM payout_route r WHERE r.tenant_id = @tenant',
);

const insertRoutes = named(
  'insert_payout_routes',
  ['tenant', 'routes'],
  `
    INSERT INTO payout_route (tenant_id, position, provider, connection_id, currency, country, scheme,
      amount_from_minor, amount_to_minor)
    SELECT @tenant, t.position, t.provider, t.connection_id, t.currency, t.country, t.scheme,
      t.amount_from_minor, t.amount_to_minor
    FROM jsonb_to_recordset(@routes::jsonb) AS t (position integer, provider text, connection_id text,
      currency text, country text, scheme text, amount_from_minor bigint, amount_to_minor bigint)`,
);

const waitingForFiles = named(
  'payouts_waiting_for_files',
  ['tenant'],
  'SELECT w.payout_id AS "payoutId" FROM bank_waiting w WHERE w.tenant_id = @tenant ORDER BY w.payout_id',
);

type Route = RoutingDraft['routes'][number];

/** What a route lets through, before payees are looked at. */
const factsOf = ({ country, currency, amountFromMinor }: Route) => ({
  country,
  currency,
  amountMinor: amountFromMinor ?? 0n,
});

/** What a route to a provider is refused with, by what the provider does not pay. */
const unpayable = {
  currency: { field: 'currency', message: 'The provider does not pay in this currency.' },
  country: { field: 'country', message: 'The provider does not pay to this country so.' },
  amount: { field: 'amountFromMinor', message: 'The provider pays no amount that is so large.' },
} as const;

/** Whether one of the schemes can pay any payment that the route's conditions let through. */
function pays(
  { providers }: Call['services'],
  schemes: readonly BankScheme[],
  route: Route,
): boolean {
  const facts = factsOf(route);
  return schemes.some((scheme) => providers.schemeReaches(scheme, facts));
}

interface OpenConnection {
  readonly id: string;
  readonly schemes: readonly BankScheme[];
  /** Null for a bank. */
  readonly adapter: string | null;
}

/** The open connections to which the routes lead, by their ids. */
async function openConnections(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  routes: RoutingDraft['routes'],
): Promise<ReadonlyMap<string, OpenConnection>> {
  const connections = routes.flatMap(({ connectionId }) => connectionId ?? []);
  if (connections.length === 0) return new Map();
  const found = await rows<OpenConnection>(client, lockOpen, lockOpen.of({ tenant, connections }));
  return new Map(found.map((one) => [one.id, one]));
}

/** The provider that a route calls; null for a bank, and for one that is not there. */
async function calledBy(
  client: PoolClient,
  call: Call,
  { provider }: Route,
  connection: OpenConnection | undefined,
): Promise<ProviderPort | null> {
  if (provider !== null) return call.services.providers.byName(provider);
  if (connection === undefined || connection.adapter === null) return null;
  return providerNamed(call, client, nameOf(connection));
}

/** The name of a connection as a provider. */
const nameOf = ({ id, adapter }: OpenConnection): string =>
  adapter === null ? bankProviderName(id) : calledProviderName(adapter, id);

async function faultsOf(
  client: PoolClient,
  call: Call,
  routes: RoutingDraft['routes'],
  open: ReadonlyMap<string, OpenConnection>,
): Promise<FieldError[]> {
  const { scope, services } = call;
  const reachable = services.providers.namesIn(scope.environment);
  const faults: FieldError[] = [];
  const refuse = (index: number, field: string, message: string) =>
    faults.push({ field: `routes[${index}].${field}`, code: 'invalid_value', message });
  for (const [index, route] of routes.entries()) {
    const { provider, connectionId, scheme } = route;
    if (provider !== null && !reachable.includes(provider)) {
      const known = reachable.length === 0 ? 'none is configured' : reachable.join(', ');
      refuse(index, 'provider', `Must be a provider of the environment: ${known}.`);
    }
    const connection = connectionId === null ? undefined : open.get(connectionId);
    const called = await calledBy(client, call, route, connection);
    const part = called === null ? null : unpayablePart(called.capabilities, factsOf(route));
    if (part !== null) {
      const { field, message } = unpayable[part];
      refuse(index, field, message);
    }
    if (connectionId === null) continue;
    if (connection === undefined) {
      refuse(index, 'connectionId', 'Must be an open connection of the tenant.');
      continue;
    }
    const { schemes, adapter } = connection;
    if (scheme !== null && !schemes.includes(scheme)) {
      refuse(index, 'scheme', 'Must be a scheme of the bank connection.');
    } else if (adapter === null && !pays(services, scheme === null ? schemes : [scheme], route)) {
      const by = scheme === null ? 'By none of its schemes' : `Not by ${scheme}`;
      const message = `${by} can the bank pay in this currency and amount to this country.`;
      refuse(index, scheme === null ? 'connectionId' : 'scheme', message);
    }
  }
  return faults;
}

/**
 * Replaces the routes of a tenant in the transaction of `client`. Payouts that wait for a file are looked at
 * again at once; what was handed over stays where it is. Throws validation_failed, and conflict where somebody
 * replaced the routes since `version`.
 */
export async function replaceRoutes(
  client: PoolClient,
  call: Call,
  { version, routes }: RoutingDraft,
): Promise<Routing> {
  const { tenantId: tenant } = call.scope;
  const claimed = claimVersion.of({ tenant, seen: version, count: routes.length });
  if ((await firstRow(client, claimVersion, claimed)) === null) {
    throw new DomainError('conflict', {
      message: `The routes were replaced since: they are no longer those of version ${version}.`,
    });
  }
  const open = await openConnections(client, call.scope, routes);
  const faults = await faultsOf(client, call, routes, open);
  if (faults.length > 0) throw invalid(faults);
  await rows(client, deleteRoutes, deleteRoutes.of({ tenant }));
  const providerOf = ({ provider, connectionId }: Pick<Route, 'provider' | 'connectionId'>) => {
    const connection = open.get(connectionId ?? '');
    return connection === undefined ? provider : nameOf(connection);
  };
  const wire = routes.map(
    ({ provider, connectionId, amountFromMinor, amountToMinor, ...route }, index) => ({
      ...route,
      position: index + 1,
      provider: providerOf({ provider, connectionId }),
      connection_id: connectionId,
      amount_from_minor: amountFromMinor?.toString() ?? null,
      amount_to_minor: amountToMinor?.toString() ?? null,
    }),
  );
  await rows(client, insertRoutes, insertRoutes.of({ tenant, routes: JSON.stringify(wire) }));
  await disburseAgain(client, call.scope);
  return readRouting(client, call.scope);
}

/** Adds the jobs of the payouts that wait for a file, since it may be another one now, or none. */
async function disburseAgain(client: PoolClient, { tenantId }: Scope): Promise<void> {
  const values = waitingForFiles.of({ tenant: tenantId });
  const waiting = await rows<{ payoutId: string }>(client, waitingForFiles, values);
  const payloads = waiting.map(({ payoutId }) => ({ tenantId, payoutId }));
  const options = payloads.map((payload) => ({ jobKey: jobKeyOf('disburse_payout', payload) }));
  await enqueueMany(client, 'disburse_payout', payloads, options);
}

/**
 * Replaces the routes of a sandbox, for its owners and admins. Throws forbidden, SANDBOX_ONLY, and as
 * `replaceRoutes`.
 */
export async function replaceSandboxRoutes(call: Call, given: RoutingInput): Promise<Routing> {
  requirePermission(call.scope, 'banks:write');
  if (call.scope.environment !== 'sandbox') throw new DomainError('SANDBOX_ONLY');
  const draft = parseInput(routingInput, given);
  return inTransaction(call.services.pool, (client) => replaceRoutes(client, call, draft));
}
