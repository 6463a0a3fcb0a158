/** The last line of an output that is JSON. */
export function lastJson(output: string): unknown {
  const line = output.split('\n').findLast((text) => text.startsWith('{'));
  // What curl was told to write behind the answer is not part of it.
  return line === undefined ? null : JSON.parse(line.slice(0, line.lastIndexOf('}') + 1));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values that are other ones each time: ids, times, addresses, and texts with spaces. */
const varies = /^(?:[a-z]+_[0-9a-z]+|\d{4}-.*|https?:.*|.*\s.*)$/;

/**
 * Where an answer is not what a page shows. A page leaves fields out; of a list it shows one row. Ids,
 * times and sentences may differ, everything else is equal.
 */
export function differences(shown: unknown, answer: unknown, path = ''): string[] {
  if (Array.isArray(shown)) {
    if (!Array.isArray(answer)) return [`${path} is no list`];
    const rows: readonly unknown[] = answer;
    return shown.flatMap((row, index) => differences(row, rows[index], `${path}[${index}]`));
  }
  if (isRecord(shown)) {
    if (!isRecord(answer)) return [`${path} is no object`];
    return Object.entries(shown).flatMap(([name, value]) =>
      name in answer
        ? differences(value, answer[name], `${path}.${name}`)
        : [`${path}.${name} is not there`],
    );
  }
  if (typeof shown === 'string' && varies.test(shown)) {
    return typeof answer === 'string' ? [] : [`${path} is no text`];
  }
  return shown === answer ? [] : [`${path} is ${JSON.stringify(answer)}`];
}
