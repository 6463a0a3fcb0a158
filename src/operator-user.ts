import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { addOperatorUser, revokeOperatorUser } from './access/operator-user.ts';
import { runCommand, withOwner } from './process/command.ts';
import type { Config } from './process/config.ts';
import { email, text } from './values/fields.ts';

const usage = `Usage:
  npm run operator-user -- --name "<the person>" <e-mail>   lets a person sign in as an operator
  npm run operator-user -- --revoke <e-mail>                ends that, with their sessions and passkeys`;

type Command = { readonly email: string; readonly name: string | null };

/** What was asked for, without a name for a revocation; null where it is neither of the two. */
function readCommand(): Command | null {
  try {
    const options = { name: { type: 'string' }, revoke: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const { name, revoke } = values;
    if ((name === undefined) === (revoke === undefined)) return null;
    if (positionals.length !== (name === undefined ? 0 : 1)) return null;
    const address = email.safeParse(revoke ?? positionals[0]);
    if (!address.success) return null;
    if (name === undefined) return { email: address.data, name: null };
    const named = text(100).safeParse(name);
    return named.success ? { email: address.data, name: named.data } : null;
  } catch {
    return null;
  }
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

async function carryOut(
  pool: Pool,
  { PUBLIC_URL }: Config,
  { email: address, name }: Command,
): Promise<void> {
  if (name !== null) {
    const id = await addOperatorUser(pool, { email: address, name });
    console.log(`${id} (${name}) signs in with ${address} at ${PUBLIC_URL}/console/sign-in.`);
    return;
  }
  const revokedAt = await revokeOperatorUser(pool, address);
  if (revokedAt === null) fail(`There is no operator with the address ${address}.`);
  else console.log(`${address} is no operator since ${revokedAt.toISOString()}.`);
}

const command = readCommand();
if (command === null) fail(usage);
else {
  await runCommand(() =>
    withOwner('payouts-operator-user', (pool, config) => carryOut(pool, config, command)),
  );
}
