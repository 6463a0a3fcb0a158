import { execFileSync, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sign } from '../../src/crypto/signature.ts';
import { inherited } from '../support/config.ts';
import { longTestMs } from '../support/patience.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';
import { answer, answering, cut, cutInBody, refusal } from './answers.ts';

/* The Python package of client/python, where Python is to be had. */

const root = join(import.meta.dirname, '../..');
const packageFolder = join(root, 'client/python');

/** Whether a command of Python runs here. */
function runs(...args: string[]): boolean {
  try {
    execFileSync('python3', args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const hasPython = runs('-c', 'import sys; sys.exit(sys.version_info < (3, 11))');
const hasMypy = hasPython && runs('-m', 'mypy', '--version');

/** What a program of `programs/` prints, as JSON. */
async function answerOf(
  name: string,
  env: Readonly<Record<string, string>> = {},
  input: unknown = null,
): Promise<unknown> {
  const child = spawn('python3', [join(import.meta.dirname, 'programs', name)], {
    env: { ...inherited, PYTHONPATH: packageFolder, PYTHONDONTWRITEBYTECODE: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(JSON.stringify(input));
  const [out, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(problems).toBe('');
  return JSON.parse(out);
}

const harness = useHarness();
const tenant = useTenant(harness);

describe.skipIf(!hasPython)('the Python package (Python 3.11 or newer)', () => {
  test(
    'onboards a payee, pays it and reacts to what happened',
    async () => {
      const env = { BASE_URL: harness.baseUrl, API_KEY: tenant.key };
      expect(await answerOf('onboard.py', env)).toEqual({
        found: true,
        replayed: true,
        refused: [422, 'IDEMPOTENCY_KEY_REUSED', true],
        failed: true,
        other: '3000',
        archived: true,
        book: 'beneficiary_id,name,beneficiary_type,compliance_status',
      });
    },
    longTestMs,
  );

  const made = answer(201, { beneficiary: { id: 'ben_1' } });
  const soon = { 'Retry-After': '0' };

  test.each([
    ['an unclear answer', refusal(503, 'service_unavailable', soon)],
    ['a limit', refusal(429, 'RATE_LIMITED', soon)],
    ['a lost race', refusal(409, 'conflict')],
    ['a cut connection', cut],
    ['an answer that breaks off', cutInBody],
  ])('sends a create again after %s, under one key', async (_what, first) => {
    const { seen, baseUrl, close } = await answering([first, made]);
    expect(await answerOf('retry.py', { BASE_URL: baseUrl })).toEqual({
      beneficiary: { id: 'ben_1' },
    });
    close();
    const keys = seen.map(
      ({ body }) => (JSON.parse(body) as { idempotency_key: string }).idempotency_key,
    );
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  test.each([
    ['a refusal', refusal(422, 'BENEFICIARY_IDENTITY_INVALID'), 'BENEFICIARY_IDENTITY_INVALID'],
    ['a page of a proxy', answer(400, '<html>'), ''],
    ['a redirect', answer(307, '', { Location: 'http://127.0.0.1:1/' }), ''],
  ])('does not send it again after %s', async (_what, only, code) => {
    const { seen, baseUrl, close } = await answering([only]);
    expect(await answerOf('retry.py', { BASE_URL: baseUrl })).toBe(code);
    close();
    expect(seen).toHaveLength(1);
  });

  test('verifies what the service signs, and nothing else', async () => {
    const secret = `whsec_sandbox_${'0123456789abcdef'.repeat(4)}`;
    const now = 1_795_262_400;
    const body = '{"id":"evt_1","type":"payout.settled","data":{}}';
    const signature = sign(secret, now, Buffer.from(body));
    const own = { body, signature, secret, now };
    const cases = [
      own,
      { ...own, secret: ['whsec_sandbox_old', secret] },
      { ...own, now: now + 300 },
      { ...own, now: now + 301 },
      { ...own, signature: null },
      { ...own, signature: 'v1=00' },
      { ...own, body: `${body} ` },
      { ...own, secret: 'whsec_sandbox_other' },
      { ...own, body: '[]', signature: sign(secret, now, Buffer.from('[]')) },
    ];
    expect(await answerOf('verify.py', {}, cases)).toEqual([
      'payout.settled',
      'payout.settled',
      'payout.settled',
      'expired',
      'unsigned',
      'malformed',
      'mismatch',
      'mismatch',
      'not_an_event',
    ]);
  });
});

test.skipIf(!hasMypy)(
  'the Python package and its programs hold their types (mypy --strict)',
  () => {
    const programs = ['onboard.py', 'retry.py', 'verify.py'].map((name) =>
      join(import.meta.dirname, 'programs', name),
    );
    const args = ['-m', 'mypy', '--strict', '--cache-dir', '/dev/null', ...programs];
    const said = execFileSync('python3', args, {
      cwd: packageFolder,
      env: { ...inherited, MYPYPATH: packageFolder },
      encoding: 'utf8',
    });
    expect(said).toContain('Success');
  },
  longTestMs,
);
