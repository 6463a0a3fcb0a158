import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { text } from './values/fields.ts';
import { isId } from './values/ids.ts';
import { runCommand, withOwner } from './process/command.ts';
import { issueOperatorKey, revokeOperatorKey } from './access/operator-key.ts';

const usage = `Usage:
  npm run operator-key -- --name "<who will hold it>"   makes a key and prints it once
  npm run operator-key -- --revoke <opk_…>              revokes a key`;

/** The option that was given; null for none, for both, or for an invalid value. */
function readCommand(): { name: string } | { revoke: string } | null {
  try {
    const options = { name: { type: 'string' }, revoke: { type: 'string' } } as const;
    const { name, revoke } = parseArgs({ options }).values;
    if ((name === undefined) === (revoke === undefined)) return null;
    if (revoke !== undefined) return isId('operatorKey', revoke) ? { revoke } : null;
    const parsed = text(100).safeParse(name);
    return parsed.success ? { name: parsed.data } : null;
  } catch {
    return null;
  }
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

async function carryOut(pool: Pool, command: { name: string } | { revoke: string }): Promise<void> {
  if ('name' in command) {
    const { id, key } = await issueOperatorKey(pool, command.name);
    // Only the key goes to standard output, so that it can be piped into a secret store.
    console.error(`Made ${id}. The key is shown only now:`);
    console.log(key);
  } else {
    const revokedAt = await revokeOperatorKey(pool, command.revoke);
    if (revokedAt === null) fail(`There is no key ${command.revoke}.`);
    else console.log(`${command.revoke} was revoked at ${revokedAt.toISOString()}.`);
  }
}

const command = readCommand();
if (command === null) fail(usage);
else {
  await runCommand(() => withOwner('payouts-operator-key', (pool) => carryOut(pool, command)));
}
