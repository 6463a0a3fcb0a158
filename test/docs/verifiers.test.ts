import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { describe, expect, it } from 'vitest';
import { sign, verify } from '../../src/crypto/signature.ts';
import { standardHeaders, standardSecret } from '../../src/crypto/standard-webhooks.ts';

const docs = join(import.meta.dirname, '../../docs');
const page = readFileSync(join(docs, 'webhooks.md'), 'utf8');

interface Language {
  readonly file: string;
  readonly command: readonly [string, ...string[]];
  /** Asks the interpreter whether it is there. */
  readonly probe: readonly string[];
}

const languages: readonly Language[] = [
  { file: 'verify.mjs', command: [execPath], probe: ['--version'] },
  { file: 'verify.py', command: ['python3'], probe: ['--version'] },
  { file: 'verify.go', command: ['go', 'run'], probe: ['version'] },
  { file: 'verify.php', command: ['php'], probe: ['--version'] },
  { file: 'verify.rb', command: ['ruby'], probe: ['--version'] },
];

const isThere = ({ command: [program], probe }: Language): boolean =>
  spawnSync(program, probe).status === 0;
const present = languages.filter(isThere);

const secret = 'whsec_sandbox_f00';
const now = 1_795_262_400;
// Bytes that no text decoding leaves as they are.
const body = Buffer.concat([
  Buffer.from('{"name":"grüße"}\r\n'),
  Buffer.from([0, 0xff, 0xfe, 0x0a]),
]);
const good = sign(secret, now, body);

interface Delivery {
  readonly header?: string;
  readonly body?: Buffer;
  readonly secret?: string;
  readonly now?: number;
}

const accepted: readonly (readonly [string, Delivery])[] = [
  ['signed now', {}],
  ['300 s old', { now: now + 300 }],
  ['300 s ahead', { now: now - 300 }],
  ['with an empty body', { header: sign(secret, now, Buffer.alloc(0)), body: Buffer.alloc(0) }],
];

const refused: readonly (readonly [string, Delivery])[] = [
  ['301 s old', { now: now + 301 }],
  ['301 s ahead', { now: now - 301 }],
  ['with another body', { body: Buffer.concat([body, Buffer.from(' ')]) }],
  ['of another secret', { secret: 'whsec_sandbox_bar' }],
  ['with another time in the header', { header: good.replace(`t=${now}`, `t=${now - 1}`) }],
  ['without a header', { header: '' }],
  [
    'in upper case',
    { header: good.replace(/v1=.*/, (digest) => `v1=${digest.slice(3).toUpperCase()}`) },
  ],
  ['cut short', { header: good.slice(0, -1) }],
  ['with more behind it', { header: `${good}\n` }],
  ['with more before it', { header: ` ${good}` }],
  ['with spaces', { header: good.replace(',', ', ') }],
  ['without a time', { header: good.replace(/^t=\d+,/, '') }],
  ['with an overlong time', { header: good.replace('t=', 't=0000') }],
  ['with digits that are not ASCII', { header: good.replace('t=1', 't=١') }],
];

function run({ command, file }: Language, delivery: Delivery): number | null {
  const [program, ...before] = command;
  const path = join(docs, 'verifiers', file);
  const { header = good, now: at = now } = delivery;
  const result = spawnSync(program, [...before, path, header, String(at)], {
    input: delivery.body ?? body,
    env: { ...env, WEBHOOK_SECRET: delivery.secret ?? secret },
  });
  expect(result.stderr.toString()).not.toMatch(/Error|Exception|Traceback|panic|Fatal/);
  return result.status;
}

function service(delivery: Delivery): boolean {
  const { header = good, body: bytes = body, now: at = now } = delivery;
  return verify(delivery.secret ?? secret, header, bytes, at) === 'valid';
}

it.each(languages)('$file is linked from the page', ({ file }) => {
  expect(page).toContain(`](verifiers/${file})`);
});

it('the page shows the one for Node as it is', () => {
  const source = readFileSync(join(docs, 'verifiers/verify.mjs'), 'utf8');
  expect(page).toContain(`\n\`\`\`js\n${source}\`\`\`\n`);
});

it('has an interpreter for Node at least', () => {
  expect(present.map(({ file }) => file)).toContain('verify.mjs');
});

// Not every machine has every interpreter; the report shows by name what it was skipped for.
for (const language of languages) {
  const [program] = language.command;
  it.skipIf(!present.includes(language))(`${language.file} is run by ${program} here`, () => {
    expect(isThere(language)).toBe(true);
  });
}

describe.each(present)('$file, run', (language) => {
  it.each(accepted)('accepts what is %s, as the service does', (_what, delivery) => {
    expect(service(delivery)).toBe(true);
    expect(run(language, delivery)).toBe(0);
  });

  it.each(refused)('refuses what is %s, as the service does', (_what, delivery) => {
    expect(service(delivery)).toBe(false);
    expect(run(language, delivery)).toBe(1);
  });

  it("takes the machine's clock where no time is given", () => {
    const [program, ...before] = language.command;
    const times = [Math.floor(Date.now() / 1_000), 1_000_000_000];
    const statuses = times.map((time) => {
      const args = [...before, join(docs, 'verifiers', language.file), sign(secret, time, body)];
      const options = { input: body, env: { ...env, WEBHOOK_SECRET: secret } };
      return spawnSync(program, args, options).status;
    });
    expect(statuses).toEqual([0, 1]);
  });
});

it('shows an example that is right', () => {
  const header = /X-Service-Signature: (t=\d+,v1=[0-9a-f]{64})/.exec(page)?.[1];
  const example = /```text\n(\{"id":"evt_test".*\})\n```/.exec(page)?.[1] ?? '';
  const exampleSecret = /the secret `(whsec_\w+)`/.exec(page)?.[1] ?? '';
  expect(page).toContain(`the time \`${now}\``);
  expect(verify(exampleSecret, header, Buffer.from(example), now)).toBe('valid');
  expect(page).toContain(standardSecret(exampleSecret));
  const standard = standardHeaders(exampleSecret, 'evt_test', now, Buffer.from(example));
  for (const [name, value] of Object.entries(standard))
    expect(page).toContain(`\n${name}: ${value}\n`);
});
