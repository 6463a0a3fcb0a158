import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventTypes } from '../../src/domain/event/types.ts';
import { triggered } from '../../client/src/cli/trigger.ts';
import { run } from '../../client/src/cli/run.ts';
import { verifyWebhook, type WebhookEvent } from '../../client/src/webhooks.ts';
import { eventually, makePayee, makeTenant, type TestTenant } from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';

let harness: Harness;
let tenant: TestTenant;
let folder: string;
let server: Server;
let forwardTo: string;
const received: { body: string; headers: Record<string, string | undefined> }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'command-line-'));
  harness = await startHarness({});
  tenant = await makeTenant(harness);
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      received.push({ body, headers: request.headers as Record<string, string | undefined> });
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  forwardTo = `127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
});

afterAll(async () => {
  await harness.close();
  server.close();
  await rm(folder, { recursive: true });
});

interface Ran {
  readonly status: number;
  readonly out: string;
  readonly notes: string;
}

interface Started {
  readonly out: string[];
  readonly notes: string[];
  /** Ends it as Ctrl-C does. */
  end(): Promise<Ran>;
}

function start(
  words: string,
  env: Record<string, string> = {},
  piped = '',
): Started & { ended: Promise<Ran> } {
  const ending = new AbortController();
  const [out, notes]: [string[], string[]] = [[], []];
  const running = run(words.split(' ').filter(Boolean), {
    env: { XDG_CONFIG_HOME: folder, PAYOUTS_BASE_URL: harness.baseUrl, ...env },
    signal: ending.signal,
    print: (text) => void out.push(text),
    note: (text) => void notes.push(text),
    read: () => Promise.resolve(piped),
  });
  const ended = running.then((status) => ({
    status,
    out: out.join('\n'),
    notes: notes.join('\n'),
  }));
  return {
    out,
    notes,
    ended,
    end() {
      ending.abort();
      return ended;
    },
  };
}
const ran = (words: string, env?: Record<string, string>, piped?: string): Promise<Ran> =>
  start(words, env, piped).ended;

it('says what there is, and what it does not understand', async () => {
  const help = await ran('--help');
  expect(help.status).toBe(0);
  expect(help.out).toContain('listen --forward-to');
  expect((await ran('')).status).toBe(1);
  for (const words of ['payout get x', '--colour red', 'payouts get', 'listen', 'payouts list']) {
    const wrong = await ran(words, { XDG_CONFIG_HOME: join(folder, 'nobody') });
    expect(wrong.status, words).toBe(1);
    expect(wrong.notes, words).toContain('payouts --help');
  }
});

describe('with a key', () => {
  beforeAll(async () => {
    const { status, notes } = await ran('login', {}, `${tenant.key}\n`);
    expect(notes).toContain('Logged in');
    expect(status).toBe(0);
  });

  it('keeps it where nobody else reads it, and no key that the service refuses', async () => {
    const path = join(folder, 'payouts/login.json');
    expect((await stat(path)).mode & 0o077).toBe(0);
    const refused = await ran('login --key pos_sandbox_nonsense');
    expect(refused.status).toBe(1);
    expect(refused.notes).toContain('unauthorized');
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ apiKey: tenant.key });
  });

  it('creates, approves and shows payouts, as facts, a table or JSON', async () => {
    const payee = await makePayee(harness, tenant.key);
    const given = `--beneficiary ${payee.beneficiaryId} --bank-account ${payee.bankAccountId} --currency USD`;
    const create = `payouts create ${given} --idempotency-key november`;
    const made = await ran(`${create} --amount-minor=125000 --json`);
    expect(made.notes).toBe('');
    const { id } = JSON.parse(made.out);
    const again = await ran(`${create} --amount-minor 125000 --json`);
    expect(JSON.parse(again.out).id).toBe(id);
    const refused = await ran(`payouts create ${given} --amount-minor 0`);
    expect(refused).toMatchObject({ status: 1, out: '' });
    expect(refused.notes).toContain('INVALID_MONEY');
    expect((await ran(`payouts approve ${id}`)).out).toMatch(/^state +approved$/m);
    expect((await ran(`payouts get ${id}`)).out).toMatch(/^amount_minor +125000$/m);
    const [head = '', row = ''] = (await ran('payouts list')).out.split('\n');
    expect(row.indexOf('USD')).toBe(head.indexOf('CURRENCY'));
    const unknown = await ran('payouts get pay_00000000000000000000000000');
    expect(unknown).toMatchObject({ status: 1, out: '' });
    expect(unknown.notes).toContain('PAYOUT_NOT_FOUND');
  });

  it('posts to a local program what happens, signed with the secret that it shows', async () => {
    const listening = start(
      `listen --forward-to ${forwardTo} --events payout.settled,payout.failed`,
    );
    const [, secret = ''] = await eventually(async () =>
      /Signing with (whsec_sandbox_\w+)/.exec(listening.notes.join('\n')),
    );
    await eventually(async () => listening.notes.length === 2);
    // What it looks at begins when it has asked once.
    const { body: before } = await harness.rest('GET', '/v1/events?limit=1', { key: tenant.key });
    await new Promise((resolve) => setTimeout(resolve, before.events.length === 0 ? 500 : 1_000));
    const caused = await ran('trigger payout.failed --json');
    const { about } = JSON.parse(caused.out);
    const has = () => received.find(({ body }) => body.includes(about));
    const { body, headers } = await eventually(async () => has());
    const event: WebhookEvent = await verifyWebhook({ body, headers, secret });
    expect(event).toMatchObject({ type: 'payout.failed', data: { payout_id: about } });
    const { 'x-service-signature': _own, ...standard } = headers;
    await verifyWebhook({ body, headers: standard, secret });
    await expect(verifyWebhook({ body: `${body} `, headers, secret })).rejects.toThrow('signature');
    const { status, out } = await listening.end();
    expect(status).toBe(0);
    expect(out).toMatch(/^200 {2}payout\.failed {2}evt_/m);
    expect(received.filter(({ body: sent }) => JSON.parse(sent).id === event['id'])).toHaveLength(
      1,
    );
  });

  it('shows events as they come, with what became of them', async () => {
    const since = '2026-01-01T00:00:00Z';
    const tailing = start(`events tail --since ${since} --events payout.failed --json`);
    const line = await eventually(async () => tailing.out[0]);
    expect(JSON.parse(line)).toMatchObject({ type: 'payout.failed', deliveries: [] });
    expect((await tailing.end()).status).toBe(0);
  });

  it('triggers events that there are, and no other', async () => {
    const known = new Set<string>([...eventTypes, 'webhook.test']);
    expect(triggered.filter((type) => !known.has(type))).toEqual([]);
    expect((await ran('trigger payout.held')).out).toMatch(/^payout\.held {2}pay_/);
    const unknown = await ran('trigger payout.lost');
    expect(unknown.notes).toContain('payout.settled');
    const key = { PAYOUTS_API_KEY: 'pos_production_x_y' };
    for (const words of ['trigger payout.held', `listen --forward-to ${forwardTo}`]) {
      expect((await ran(words, key)).notes).toContain('sandbox');
    }
  });
});
