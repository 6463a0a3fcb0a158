import { loadConfig } from './process/config.ts';
import { remark, runCommand, withDatabase } from './process/command.ts';
import { closeServices, createServices, type Services } from './process/services.ts';
import { keyUse, newPass, rotatePage, type RotationStep } from './domain/encryption/rotate.ts';
import { requireRing, ringProblems } from './domain/encryption/ring.ts';
import { hasClearValues } from './domain/encryption/store.ts';

/**
 * `npm run rotate-keys`: encrypts everything under the first key of ENCRYPTION_KEYS, what lies in clear
 * included, while the service runs, and prints what is left. `npm run rotate-keys -- status` only counts. Each
 * refuses a ring that is not the one of the data. Ctrl-C stops the command after a page; it can be started again at any time.
 */
let stopped = false;
process.once('SIGINT', () => (stopped = true));
process.once('SIGTERM', () => (stopped = true));

/** A walk misses rows that writers had locked, and the next one repeats them. More walks than this do not help. */
const mostWalks = 5;

async function walk(services: Services): Promise<RotationStep> {
  let step: RotationStep = { ...newPass(), finished: false };
  for (let page = 1; !step.finished && !stopped; page += 1) {
    step = await rotatePage(services, step);
    if (page % 100 === 0) console.log(`… ${step.column}: ${step.reencrypted} re-encrypted so far`);
  }
  return step;
}

const countsOnly = process.argv[2] === 'status';

async function rotate(services: Services): Promise<void> {
  if (!countsOnly) await requireRing(services);
  const problems = await ringProblems(services, services.keyring);
  for (const problem of problems) remark(`ENCRYPTION_KEYS: ${problem}`);
  const [current = '', ...others] = services.keyring.keyIds;
  const due = others.length > 0 || (await hasClearValues(services.pool));
  if (!countsOnly && due) {
    for (let walks = 1; walks <= mostWalks && !stopped; walks += 1) {
      const { reencrypted, missed } = await walk(services);
      console.log(`Re-encrypted ${reencrypted}; ${missed} were in use and remain to be done.`);
      if (missed === 0) break;
    }
  }
  const uses = await keyUse(services);
  for (const { column, keyId, ciphertexts } of uses) {
    console.log(`${column.padEnd(52)} ${(keyId ?? '(in clear)').padEnd(32)} ${ciphertexts}`);
  }
  const left = uses.filter(({ keyId }) => keyId !== current);
  const whole =
    left.length === 0
      ? `Every ciphertext is under ${current}.`
      : `Not everything is under ${current} yet.`;
  console.log(problems.length === 0 ? whole : 'These keys do not open the data.');
  process.exitCode = problems.length === 0 && left.length === 0 ? 0 : 1;
}

await runCommand(async () => {
  const services = createServices(await withDatabase(loadConfig()), 'worker');
  try {
    await rotate(services);
  } finally {
    await closeServices(services);
  }
});
