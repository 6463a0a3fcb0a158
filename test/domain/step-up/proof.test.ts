import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { approveInBulkSigned, approveSigned } from '../../../src/domain/payout/decide-signed.ts';
import { newUlid } from '../../../src/values/ulid.ts';
import type { KeptSignature } from '../../../tools/verify/signatures.ts';
import { verify } from '../../../tools/verify/verify.ts';
import { always, givePolicy, members } from '../../support/approval-world.ts';
import { decide, memberCall, newPayout } from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';
import { signer } from '../../support/signer.ts';

const world = usePayoutWorld({ fresh: true });
const { sql } = world;

/** A payout with one signature, two with one for both, and one that two people approved. */
async function approvals(): Promise<string[]> {
  const creator = await memberCall(world.call.services, world.tenant, 'preparer');
  const made = () => newPayout(creator, world.payee);
  const treasurer = await signer(world, 'approver');
  await givePolicy(world, [always({ approvals: 1, groups: ['approver'], stepUp: true })]);
  const signed = [await made(), await made(), await made()];
  const [one = '', ...both] = signed;
  const given = { decisionId: newUlid(), reasons: [] };
  await approveSigned(treasurer.call, one, given, await treasurer.sign(one));
  await approveInBulkSigned(treasurer.call, both, [], await treasurer.sign(...both));
  await givePolicy(world, [always({ approvals: 2, groups: ['approver'] })]);
  const counted = [await made(), await made()];
  const [full = '', partly = ''] = counted;
  for (const member of await members(world, 'approver', 2)) await decide(member, full, 'approved');
  const [first] = await members(world, 'approver', 1);
  await decide(first, partly, 'approved');
  return [...signed, full, partly];
}

/** The promises of approvals that are broken. */
async function broken(): Promise<string[]> {
  const findings = await verify({
    databaseUrl: world.harness.database.ownerUrl,
    ledger: () => Promise.resolve([]),
    received: null,
    atRest: false,
    businessId: world.tenant.businessId,
  });
  return findings.flatMap(({ check: { invariant, promise }, violations }) =>
    violations.length > 0 && (invariant.startsWith('P') || promise.startsWith('Each approval and'))
      ? [`${invariant} ${promise}`]
      : [],
  );
}

let ids: string[];
beforeEach(async () => {
  ids = await approvals();
});

describe('verify-ledger', () => {
  it('finds nothing wrong, neither after the passkey is gone', async () => {
    expect(await sql(`SELECT FROM payout WHERE state = 'approved'`)).toHaveLength(4);
    expect(await broken()).toEqual([]);
    await sql('DELETE FROM passkey');
    expect(await broken()).toEqual([]);
  });

  it.each([
    [
      'a demand that was not met',
      `UPDATE payout_decision SET held_groups = '{viewer}' WHERE payout_id = $1`,
      3,
      ['P1 Each payout that was approved'],
    ],
    [
      'two approvals of one person',
      `UPDATE payout_decision d SET submitted_by = (SELECT min(e.submitted_by::text)::jsonb FROM payout_decision e
        WHERE e.payout_id = $1) WHERE d.payout_id = $1`,
      3,
      ['P1 Each payout that was approved'],
    ],
    [
      'a payout that is another one than was approved',
      `UPDATE payout SET amount_minor = 1 WHERE id = $1`,
      3,
      ['P2 No approval was counted'],
    ],
    [
      'a signature that is gone',
      `UPDATE step_up_item SET decision_id = NULL WHERE payout_id = $1`,
      0,
      ['P3 Each approval of a step'],
    ],
    [
      'a payout that is another one than was signed',
      `UPDATE payout SET amount = '1.00' WHERE id = $1`,
      1,
      ['P3 What was signed'],
    ],
    [
      'another text',
      `UPDATE step_up SET text = replace(text, '1250.00', '9250.00') WHERE id =
        (SELECT step_up_id FROM step_up_item WHERE payout_id = $1)`,
      0,
      ['P3 Each signature verifies'],
    ],
    [
      'another text of one of several',
      `UPDATE step_up_item SET text = replace(text, '"v":1', '"v":2') WHERE payout_id = $1`,
      1,
      ['P3 Each signature verifies'],
    ],
    [
      'another byte of what was signed',
      `UPDATE step_up SET authenticator_data = set_byte(authenticator_data, 36, 7) WHERE id =
        (SELECT step_up_id FROM step_up_item WHERE payout_id = $1)`,
      2,
      ['P3 Each signature verifies'],
    ],
  ])('finds %s', async (_what, change, place, promises) => {
    await sql(change.replaceAll('$1', `'${ids[place] ?? ''}'`));
    const found = await broken();
    expect(found).toHaveLength(promises.length);
    for (const [i, promise] of promises.entries()) expect(found[i]).toContain(promise);
  });
});

/** The blocks of shell of the page, in order. */
function pageBlocks(): string[] {
  const page = readFileSync(
    join(import.meta.dirname, '../../../docs/verify-an-approval.md'),
    'utf8',
  );
  return [...page.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, block = '']) => block);
}

const hasOpenssl = (() => {
  try {
    execFileSync('sh', ['-c', 'command -v openssl && command -v xxd'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

it.runIf(hasOpenssl)('is verified by OpenSSL alone, as the page says', async () => {
  const [kept] = await sql<KeptSignature>(
    `SELECT s.* FROM step_up s JOIN step_up_item i ON i.step_up_id = s.id WHERE i.payout_id = $1`,
    [ids[0]],
  );
  if (kept === undefined) throw new Error('the first payout was signed');
  const folder = mkdtempSync(join(tmpdir(), 'payouts-approval-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { text, nonce, public_key, authenticator_data, client_data, signature } = kept;
  const files = { text, nonce, public_key, authenticator_data, client_data, signature };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const run = (block = '') =>
    execFileSync('bash', ['-euc', `rp_id=${kept.rp_id}\n${block}`], {
      cwd: folder,
      encoding: 'utf8',
    });
  const [challenge, host, signed] = pageBlocks();
  const told = JSON.parse(client_data.toString()) as { challenge: string };
  expect(run(challenge)).toBe(`${told.challenge}${client_data.toString()}`);
  const [digest, data] = run(host).split('\n');
  expect(data).toBe(`${digest?.slice(0, 64) ?? ''}05`);
  expect(run(signed)).toContain('Verified OK');
  writeFileSync(
    join(folder, 'client_data'),
    client_data.toString().replace('webauthn', 'Webauthn'),
  );
  expect(() => run(signed)).toThrow();
});
