import { createPayoutClient, type PayoutClient } from '../client.ts';
import { newKey } from '../key.ts';
import { followEvents } from './feed.ts';
import { keepLogin, loginFrom, type Login } from './login.ts';
import { factsOf, tableOf } from './show.ts';
import { newSecret, signedDelivery } from './sign.ts';
import { trigger } from './trigger.ts';
import { required, UsageError, valueOf, type Words } from './words.ts';

/** What a command works with: its words, the outside, and the service. */
export interface Shell {
  readonly given: Words;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Writes a line of the answer. */
  print(text: string): void;
  /** Writes a line beside the answer, for people. */
  note(text: string): void;
  /** What was typed or piped in. */
  read(): Promise<string>;
}

const isJson = ({ given }: Shell): boolean => given.flags['json'] === true;

async function loggedIn({ given, env }: Shell): Promise<Login> {
  const login = await loginFrom(env, { baseUrl: valueOf(given, 'base-url') });
  if (login.apiKey === '') throw new UsageError('Log in first: payouts login.');
  return login;
}

const clientOf = async (shell: Shell): Promise<PayoutClient> =>
  createPayoutClient({ ...(await loggedIn(shell)), signal: shell.signal });

/** What only a sandbox may do, since it makes things up or shows a secret on a screen. */
async function sandboxClient(shell: Shell, what: string): Promise<PayoutClient> {
  const { apiKey } = await loggedIn(shell);
  if (!apiKey.startsWith('pos_sandbox_'))
    throw new UsageError(`${what} is for keys of the sandbox.`);
  return clientOf(shell);
}

const payoutColumns = ['id', 'state', 'amount', 'currency', 'beneficiary_id', 'created_at'];

function show(shell: Shell, row: object): void {
  shell.print(isJson(shell) ? JSON.stringify(row) : factsOf({ ...row }));
}

function showAll(shell: Shell, rows: readonly object[], columns: readonly string[]): void {
  if (isJson(shell)) for (const row of rows) shell.print(JSON.stringify(row));
  else
    shell.print(
      tableOf(
        rows.map((row) => ({ ...row })),
        columns,
      ),
    );
}

async function login(shell: Shell): Promise<void> {
  const { given, env } = shell;
  const typed = valueOf(given, 'key') ?? env['PAYOUTS_API_KEY'] ?? (await shell.read());
  const apiKey = typed.trim();
  const made = await loginFrom(env, { apiKey, baseUrl: valueOf(given, 'base-url') });
  const client = createPayoutClient({ ...made, signal: shell.signal });
  await client.listPayouts({ query: { limit: 1 } });
  shell.note(`Logged in at ${made.baseUrl}. The key is in ${await keepLogin(env, made)}.`);
}

function wordAfter({ given }: Shell, place: number, what: string): string {
  const word = given.words[place];
  if (word === undefined) throw new UsageError(`${what} is missing.`);
  return word;
}

async function createPayout(shell: Shell): Promise<void> {
  const { given } = shell;
  const client = await clientOf(shell);
  const amount = required(given, 'amount-minor');
  if (!/^\d{1,12}$/.test(amount)) throw new UsageError('--amount-minor is a whole number.');
  const reference = valueOf(given, 'external-ref');
  const { payout } = await client.createPayout({
    body: {
      beneficiary_id: required(given, 'beneficiary'),
      bank_account_id: required(given, 'bank-account'),
      amount_minor: Number(amount),
      currency: required(given, 'currency'),
      // The service refuses a purpose that it does not know, and names those that it does.
      purpose_of_payment: (valueOf(given, 'purpose') ?? 'other') as 'other',
      idempotency_key: valueOf(given, 'idempotency-key') ?? newKey(),
      ...(reference === undefined ? {} : { external_ref: reference }),
    },
  });
  show(shell, payout);
}

async function getPayout(shell: Shell): Promise<void> {
  const payoutId = wordAfter(shell, 2, 'The id of the payout');
  const client = await clientOf(shell);
  show(shell, (await client.getPayout({ path: { payoutId } })).payout);
}

async function approvePayout(shell: Shell): Promise<void> {
  const payoutId = wordAfter(shell, 2, 'The id of the payout');
  const client = await clientOf(shell);
  show(shell, (await client.approvePayout({ path: { payoutId } })).payout);
}

async function listPayouts(shell: Shell): Promise<void> {
  const client = await clientOf(shell);
  showAll(shell, (await client.listPayouts()).payouts, payoutColumns);
}

/** A local program may leave out the scheme. */
function targetOf(given: string): URL {
  const text = /^https?:\/\//.test(given) ? given : `http://${given}`;
  if (!URL.canParse(text)) throw new UsageError(`${given} is no address.`);
  return new URL(text);
}

const typesOf = ({ given }: Shell): string[] | undefined =>
  valueOf(given, 'events')
    ?.split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '');

/** A look costs one request, and a new business has 120 a minute. */
const everyMs = 1_500;

async function listen(shell: Shell): Promise<void> {
  const { env, given, signal } = shell;
  const client = await sandboxClient(shell, 'listen');
  const target = targetOf(required(given, 'forward-to'));
  const secret = env['PAYOUTS_WEBHOOK_SECRET'] ?? newSecret();
  shell.note(`Signing with ${secret}`);
  shell.note(`Forwarding what happens in the sandbox to ${target.href}. Ctrl-C ends it.`);
  for await (const event of followEvents(client, { types: typesOf(shell), everyMs, signal })) {
    const { body, headers } = await signedDelivery(event, secret);
    const answered = await fetch(target, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal,
    })
      .then(async (answer) => {
        await answer.arrayBuffer();
        return String(answer.status);
      })
      .catch(() => 'no answer');
    const { id, type } = event;
    shell.print(
      isJson(shell) ? JSON.stringify({ id, type, answered }) : `${answered}  ${type}  ${id}`,
    );
  }
}

async function tail(shell: Shell): Promise<void> {
  const { given, signal } = shell;
  const client = await clientOf(shell);
  const since = valueOf(given, 'since');
  for await (const event of followEvents(client, {
    types: typesOf(shell),
    since,
    everyMs,
    signal,
  })) {
    const { occurred_at: at, type, payout_id: payout, subject_id: subject, deliveries } = event;
    const sent = deliveries.map(({ status }) => status).join(',') || 'not sent';
    shell.print(
      isJson(shell)
        ? JSON.stringify(event)
        : `${at}  ${type}  ${payout ?? subject ?? '-'}  ${sent}`,
    );
  }
}

async function cause(shell: Shell): Promise<void> {
  const type = wordAfter(shell, 1, 'The type of the event');
  const client = await sandboxClient(shell, 'trigger');
  const about = await trigger(client, type);
  shell.print(isJson(shell) ? JSON.stringify({ type, about }) : `${type}  ${about}`);
}

interface Command {
  readonly usage: string;
  readonly means: string;
  readonly run: (shell: Shell) => Promise<void>;
}

/** By its words. */
export const commands: Readonly<Record<string, Command>> = {
  login: {
    usage: 'login [--key KEY]',
    means: 'keeps an API key, which is read from the standard input without --key',
    run: login,
  },
  listen: {
    usage: 'listen --forward-to ADDRESS [--events TYPE,…]',
    means: 'posts what happens in the sandbox to a program on this machine, signed as a webhook',
    run: listen,
  },
  trigger: {
    usage: 'trigger TYPE',
    means: 'makes an event happen in the sandbox',
    run: cause,
  },
  'payouts create': {
    usage:
      'payouts create --beneficiary ID --bank-account ID --amount-minor N --currency CUR [--purpose P] [--external-ref REF] [--idempotency-key KEY]',
    means: 'creates a payout',
    run: createPayout,
  },
  'payouts get': { usage: 'payouts get ID', means: 'shows a payout', run: getPayout },
  'payouts approve': {
    usage: 'payouts approve ID',
    means: 'approves a payout',
    run: approvePayout,
  },
  'payouts list': { usage: 'payouts list', means: 'shows the newest payouts', run: listPayouts },
  'events tail': {
    usage: 'events tail [--events TYPE,…] [--since TIME]',
    means: 'shows events as they come, with what became of them',
    run: tail,
  },
};
