import { ZodError } from 'zod';
import { redactShapes } from '../src/providers/redact.ts';

const longest = 500;
/** No more is searched: the patterns below take quadratic time on a long run of characters. */
const readAtMost = 4_096;

const emailAddress = /[^\s<>@"',;:]+@[^\s<>@"',;:]+/g;
/** API keys and webhook secrets by their prefix; link tokens by being long and random. */
const prefixedSecret = /\b(?:pos|whsec)_\w+/g;
const randomText = /(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{40,}/g;

/** What is wrong with a payload: where, and why. Its own message is a page of JSON. */
function malformed({ issues }: ZodError): string {
  const faults = issues.map(({ path, message }) => `${path.join('.') || 'payload'}: ${message}`);
  return `The job's payload is malformed: ${faults.join('; ')}`;
}

/**
 * What an error may say in one line where operators and logs read it: its text without anything shaped like a
 * bank identifier, an e-mail address, a key or a token, 500 characters at most. Prisma's errors quote
 * the arguments of the call, so only their name and code are told.
 */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return 'a value that is not an Error was thrown';
  if (error.name.startsWith('PrismaClient')) {
    return 'code' in error && typeof error.code === 'string'
      ? `${error.name} ${error.code}`
      : error.name;
  }
  const text = (error instanceof ZodError ? malformed(error) : error.message)
    .slice(0, readAtMost)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(prefixedSecret, '****')
    .replaceAll(randomText, '****')
    .replaceAll(emailAddress, '****');
  return redactShapes(text).slice(0, longest) || error.name;
}

/**
 * The same failure with a text that may be told. graphile-worker keeps the text on the job and logs it
 * with the stack.
 */
export function tellableError(error: unknown): Error {
  const told = new Error(failureText(error));
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  told.stack = [`Error: ${told.message}`, ...frames].join('\n');
  return told;
}
