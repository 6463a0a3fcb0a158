import { ApiError, ConnectionError } from '../errors.ts';
import { commands, type Shell } from './commands.ts';
import { UsageError, wordsOf } from './words.ts';

const flags = {
  'base-url': 'value',
  key: 'value',
  json: 'switch',
  help: 'switch',
  'forward-to': 'value',
  events: 'value',
  since: 'value',
  beneficiary: 'value',
  'bank-account': 'value',
  'amount-minor': 'value',
  currency: 'value',
  purpose: 'value',
  'external-ref': 'value',
  'idempotency-key': 'value',
} as const;

function help(): string {
  const lines = Object.values(commands).map(
    ({ usage, means }) => `  payouts ${usage}\n      ${means}`,
  );
  return `The payout service from a terminal.\n\n${lines.join('\n')}\n\nWith every command:\n  --base-url URL   where the service is; PAYOUTS_BASE_URL, or http://localhost:3000\n  --json           one JSON object on each line in the place of tables\n\nPAYOUTS_API_KEY is a key in the place of the one of payouts login. PAYOUTS_WEBHOOK_SECRET is the secret that listen signs with, in the place of a new one.`;
}

/** What went wrong, for people; null for what is a fault of the program. */
function problemOf(error: unknown): string | null {
  if (error instanceof UsageError) return `${error.message} payouts --help says what there is.`;
  if (error instanceof ConnectionError) return `No answer: ${error.message}`;
  if (!(error instanceof ApiError)) return null;
  const details = error.details.map(({ field, message }) => `\n  ${field}: ${message}`).join('');
  return `${error.message} (${error.code === '' ? error.status : error.code})${details}`;
}

/** Runs the program with what was typed; gives its exit status: 0, or 1 where something is wrong. */
export async function run(
  typed: readonly string[],
  outside: Omit<Shell, 'given'>,
): Promise<number> {
  try {
    const given = wordsOf(typed, flags);
    const [first = '', second = ''] = given.words;
    if (given.flags['help'] === true || first === '') {
      outside.print(help());
      return given.flags['help'] === true ? 0 : 1;
    }
    const command = commands[first] ?? commands[`${first} ${second}`];
    if (command === undefined)
      throw new UsageError(`There is no command ${first} ${second}`.trim());
    await command.run({ ...outside, given });
    return 0;
  } catch (error) {
    if (outside.signal.aborted) return 0;
    const problem = problemOf(error);
    if (problem === null) throw error;
    outside.note(problem);
    return 1;
  }
}
