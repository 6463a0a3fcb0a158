import type { RestAnswer } from '../../support/harness.ts';

/** Headers that tell when and under which id a request came, and how many came before it. */
const ownHeaders = new Set([
  'x-request-id',
  'date',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  // Follows from the body, which is compared itself.
  'content-length',
]);

const typeId = /\b[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const instant = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\b/g;
const fileTime = /\b\d{4}-?\d\d-?\d\dT\d\d-?\d\d-?\d\dZ/g;
const secret = /\b(whsec|pos)_[a-z]+_[A-Za-z0-9_-]{20,}/g;

const patterns = Object.entries({ secret, id: typeId, uuid });

/** Numbers each distinct match, so that two texts are equal when they repeat the same way. */
function numbered(text: string, pattern: RegExp, name: string): string {
  const seen = new Map<string, string>();
  return text.replace(pattern, (match) => {
    const known = seen.get(match) ?? `<${name} ${seen.size + 1}>`;
    seen.set(match, known);
    return known;
  });
}

/**
 * What a caller can tell of an answer, as text: all of it but the request's own id and the times. In a
 * success, ids of what was made are numbered, and the value that was tried is named: they
 * differ between any two calls.
 */
export function visible(answer: RestAnswer, tried: string): string {
  const headers = [...answer.headers]
    .filter(([name]) => !ownHeaders.has(name))
    .map(([name, value]) => `${name}: ${value.replace(fileTime, '…')}`)
    .toSorted();
  const text = answer.text
    .replace(/"request_id":"[^"]*"/, '"request_id":"…"')
    .replace(/"occurred_at":"[^"]*"/, '"occurred_at":"…"')
    // The worker may have told of a payout already, while it is shown as the command left it.
    .replace(/"events":\[[^\]]*\]/, '"events":"…"')
    // Whether two times of one answer are the same millisecond is chance.
    .replaceAll(instant, '<time>')
    .replaceAll(fileTime, '<file time>');
  const failed = answer.status >= 400 || answer.text.startsWith('{"errors"');
  const made = failed
    ? text
    : patterns.reduce(
        (rest, [name, pattern]) => numbered(rest, pattern, name),
        text.replaceAll(JSON.stringify(tried).slice(1, -1), '<tried>'),
      );
  return [String(answer.status), ...headers, made].join('\n');
}
