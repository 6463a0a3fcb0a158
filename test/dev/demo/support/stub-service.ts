import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { post, signed } from './post.ts';

/** What happens to a request: `lost` takes effect and then cuts the connection. */
export type Fault = 'none' | 'lost' | 'cut' | 'unavailable' | 'limited';
/** Told the request as `POST /v1/payouts` and how often that was asked, from 1. */
export type FaultPlan = (request: string, nth: number) => Fault;

type Row = Record<string, unknown>;
interface Result {
  readonly status: number;
  readonly body: Row | string;
  readonly headers?: Record<string, string>;
}

const refused = (status: number, code: string): Result => ({ status, body: { error: { code } } });

/** A small double of the service: enough memory to notice what a client does twice. */
export class StubService {
  readonly registrations: string[] = [];
  readonly beneficiaries: Row[] = [];
  readonly bankAccounts: Row[] = [];
  readonly payouts: Row[] = [];
  readonly asked: string[] = [];
  readonly #plan: FaultPlan;
  readonly #ca: string;
  readonly #keys = new Map<string, Row>();
  #fundingAsked = 0;
  #secret = '';
  #decisionId: string | null = null;
  #url = '';
  #delivering: Promise<void> = Promise.resolve();
  failPayout = false;

  constructor(plan: FaultPlan, ca: string) {
    this.#plan = plan;
    this.#ca = ca;
  }

  async start(): Promise<{ baseUrl: string; close(): Promise<void> }> {
    const server = createServer((request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      baseUrl: `http://127.0.0.1:${port}`,
      close: async () => {
        await this.#delivering.catch(() => undefined);
        server.close();
        server.closeAllConnections();
      },
    };
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await text(request);
    const [path = ''] = (request.url ?? '').split('?');
    const asked = `${request.method ?? ''} ${path.replace(/\/(ben|pay)_\w+/, '/{id}')}`;
    this.asked.push(asked);
    const fault = this.#plan(asked, this.asked.filter((other) => other === asked).length);
    if (fault === 'cut') return void response.destroy();
    if (fault === 'unavailable') return void response.writeHead(503).end();
    if (fault === 'limited') return void response.writeHead(429, { 'Retry-After': '1' }).end();
    const result = this.#answer(asked, raw === '' ? {} : (JSON.parse(raw) as Row));
    if (fault === 'lost') return void response.destroy();
    const type = typeof result.body === 'string' ? 'text/csv' : 'application/json';
    response.writeHead(result.status, { 'Content-Type': type, ...result.headers });
    response.end(typeof result.body === 'string' ? result.body : JSON.stringify(result.body));
  }

  #answer(asked: string, body: Row): Result {
    switch (asked) {
      case 'GET /readyz':
        return { status: 200, body: 'ok' };
      case 'POST /v1/registration':
        return this.#register(String(body.email));
      case 'PUT /v1/business/profile':
        return { status: 200, body: { business: { profile_status: 'submitted' } } };
      case 'GET /v1/funding/account':
        return this.#funding();
      case 'POST /v1/beneficiaries':
        return this.#createBeneficiary(body);
      case 'GET /v1/beneficiaries':
        return { status: 200, body: { beneficiaries: this.beneficiaries, next_cursor: null } };
      case 'GET /v1/beneficiaries/{id}':
      case 'POST /v1/beneficiaries/{id}/enroll':
        return this.#enroll(asked);
      case 'GET /v1/beneficiaries/{id}/bank-accounts':
        return { status: 200, body: { bank_accounts: this.bankAccounts } };
      case 'POST /v1/beneficiaries/{id}/bank-accounts':
        return this.#addBankAccount(body);
      case 'POST /v1/webhook-subscriptions':
        return this.#subscribe(String(body.url));
      case 'POST /v1/payouts':
        return this.#createPayout(body);
      case 'POST /v1/payouts/{id}/approve':
        return this.#approve(String(body.decision_id));
      case 'GET /v1/payouts/{id}':
        return { status: 200, body: { payout: this.payouts[0] } };
      case 'GET /v1/reporting/transactions/export':
        return { status: 200, body: this.#csv() };
      default:
        return refused(404, 'not_found');
    }
  }

  #register(email: string): Result {
    if (this.registrations.includes(email)) return refused(409, 'EMAIL_ALREADY_REGISTERED');
    this.registrations.push(email);
    const key = `pos_sandbox_key_${this.registrations.length}`;
    return {
      status: 201,
      body: { business: { id: 'biz_1' }, user: {}, membership: {}, api_key: { key } },
    };
  }

  #funding(): Result {
    this.#fundingAsked += 1;
    if (this.#fundingAsked === 1) return refused(404, 'FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED');
    const available = this.#fundingAsked === 2 ? 0 : 100_000_000;
    return { status: 200, body: { funding_account: { available_balance_minor: available } } };
  }

  #createBeneficiary({ email }: Row): Result {
    if (this.beneficiaries.some((other) => other.email === email)) {
      return refused(409, 'BENEFICIARY_EMAIL_ALREADY_EXISTS');
    }
    const id = `ben_${this.beneficiaries.length + 1}`;
    const row = { id, email, compliance_status: 'compliant', enrollment_status: null };
    this.beneficiaries.push(row);
    return { status: 201, body: { beneficiary: row } };
  }

  #enroll(asked: string): Result {
    const [row] = this.beneficiaries;
    const pending = asked.startsWith('POST');
    const beneficiary = { ...row, enrollment_status: pending ? 'pending' : 'verified' };
    return { status: pending ? 202 : 200, body: { beneficiary } };
  }

  #addBankAccount({ account_number }: Row): Result {
    const last4 = String(account_number).slice(-4);
    const known = this.bankAccounts.find((other) => other.last4 === last4);
    if (known !== undefined) return { status: 200, body: { bank_account: known } };
    const row = { id: `bac_${this.bankAccounts.length + 1}`, last4, payout_usable: true };
    this.bankAccounts.push(row);
    return { status: 201, body: { bank_account: row } };
  }

  #subscribe(url: string): Result {
    const status = this.#url === '' ? 201 : 200;
    this.#url = url;
    this.#secret = `whsec_sandbox_${this.asked.length}`;
    const subscription = { id: 'whs_1', enabled: true, url };
    return { status, body: { subscription, secret: this.#secret } };
  }

  #createPayout(body: Row): Result {
    const key = String(body.idempotency_key);
    const known = this.#keys.get(key);
    if (known) {
      return {
        status: 200,
        body: { payout: known },
        headers: { 'Idempotent-Replayed': 'true' },
      };
    }
    const id = `pay_${this.payouts.length + 1}`;
    const row = {
      ...body,
      id,
      state: 'pending_approval',
      provider_payout_id: null,
      rail_ref: null,
    };
    this.payouts.push(row);
    this.#keys.set(key, row);
    return { status: 201, body: { payout: row } };
  }

  #approve(decisionId: string): Result {
    const [payout] = this.payouts;
    if (payout === undefined) return refused(404, 'PAYOUT_NOT_FOUND');
    const replayed = decisionId === this.#decisionId;
    if (!replayed && payout.state !== 'pending_approval') {
      return refused(409, 'INVALID_STATE_TRANSITION');
    }
    if (!replayed) {
      this.#decisionId = decisionId;
      payout.state = 'approved';
      this.#delivering = this.#disburse(payout);
    }
    return { status: 200, body: { payout: { ...payout }, decision: {} } };
  }

  /** The events as the service sends them, one of them twice, then the settlement. */
  async #disburse(payout: Row): Promise<void> {
    const names = ['disbursement_submitted', 'acknowledged', 'estimated_arrival_at', 'disbursed'];
    for (const [index, name] of [...names, 'disbursed'].entries()) {
      await this.#deliver(`evt_${names.indexOf(name)}`, `payout.${name}`, index, payout.id);
    }
    payout.state = this.failPayout ? 'failed' : 'disbursed';
    if (this.failPayout) return;
    payout.provider_payout_id = 'sim_1';
    payout.rail_ref = 'rail_1';
    setTimeout(() => {
      payout.state = 'settled';
    }, 50);
  }

  async #deliver(id: string, type: string, sequence: number, payoutId: unknown): Promise<void> {
    const now = new Date().toISOString();
    const body = JSON.stringify({
      id,
      type,
      api_version: '2026-11-01',
      occurred_at: now,
      created_at: now,
      sequence,
      data: { payout_id: payoutId },
    });
    await post({ url: this.#url, ca: this.#ca, body, signature: signed(this.#secret, body) });
  }

  #csv(): string {
    const rows = this.payouts.map(({ id, state }) => `${String(id)},x,${String(state)},ben_1\r\n`);
    return `payout_id,external_ref,state,beneficiary_id\r\n${rows.join('')}`;
  }
}
