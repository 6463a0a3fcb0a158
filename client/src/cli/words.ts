/** A call of the program that it does not understand; the message says what it takes. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What was typed: words, and flags with their values. */
export interface Words {
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string | true>>;
}

/** Reads `--name value`, `--name=value` and `--switch`. Throws UsageError for a flag that nothing takes. */
export function wordsOf(
  typed: readonly string[],
  known: Readonly<Record<string, 'value' | 'switch'>>,
): Words {
  const words: string[] = [];
  const flags: Record<string, string | true> = {};
  for (let at = 0; at < typed.length; at += 1) {
    const word = typed[at] ?? '';
    if (!word.startsWith('--')) {
      words.push(word);
      continue;
    }
    const [, name = '', given] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const kind = known[name];
    if (kind === undefined) throw new UsageError(`There is no option --${name}.`);
    if (kind === 'switch') flags[name] = true;
    else {
      const value = given ?? typed[(at += 1)];
      if (value === undefined) throw new UsageError(`--${name} needs a value.`);
      flags[name] = value;
    }
  }
  return { words, flags };
}

/** The value of a flag that has one. */
export function valueOf({ flags }: Words, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

/** The same, where it must be there. */
export function required(given: Words, name: string): string {
  const value = valueOf(given, name);
  if (value === undefined) throw new UsageError(`--${name} is needed.`);
  return value;
}
