/** The arguments after `npm run ops --`. */
export interface Arguments {
  /** The view or function; null for the list of them. */
  readonly name: string | null;
  readonly positional: readonly string[];
  /** `--dry-run false` and `--dry-run=false` both give `dry_run`; without a value it is "true". */
  readonly named: ReadonlyMap<string, string>;
  readonly format: 'table' | 'expanded' | 'json';
  readonly help: boolean;
}

const flags = new Set(['json', 'expanded', 'help']);

/** Parses the command line. The catalogue decides what the names mean. */
export function parseArguments(given: readonly string[]): Arguments {
  const positional: string[] = [];
  const named = new Map<string, string>();
  const raised = new Set<string>();
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at] ?? '';
    if (!word.startsWith('--')) {
      positional.push(word);
      continue;
    }
    const [name = '', ...value] = word.slice(2).split('=');
    const key = name.replaceAll('-', '_');
    const next = given[at + 1];
    if (flags.has(key)) raised.add(key);
    else if (value.length > 0) named.set(key, value.join('='));
    else if (next === undefined || next.startsWith('--')) named.set(key, 'true');
    else {
      named.set(key, next);
      at += 1;
    }
  }
  const [name = null, ...rest] = positional;
  const format = raised.has('json') ? 'json' : raised.has('expanded') ? 'expanded' : 'table';
  return { name, positional: rest, named, format, help: raised.has('help') };
}
