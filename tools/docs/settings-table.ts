import { settings } from '../../src/process/config.ts';

interface Entry {
  readonly fallback: string | null;
  readonly description: string;
  readonly developmentOnly?: true;
}

/** Escapes the pipe, which would end the cell. */
const cell = (text: string) => text.replaceAll('|', '\\|');

function defaultOf({ fallback, developmentOnly }: Entry): string {
  if (developmentOnly === true) return 'for development only; required in production';
  return fallback === null || fallback === '' ? 'not set' : `\`${fallback}\``;
}

/** The table of settings as Markdown, in the order of `src/process/config.ts`. */
export function settingsTable(): string {
  const rows = Object.entries<Entry>(settings).map(
    ([name, entry]) => `| \`${name}\` | ${cell(defaultOf(entry))} | ${cell(entry.description)} |`,
  );
  return ['| Setting | Default | What it does |', '| --- | --- | --- |', ...rows].join('\n');
}
