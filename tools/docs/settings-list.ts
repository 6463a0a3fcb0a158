import { settings } from '../../src/process/config.ts';

interface DocumentedSetting {
  readonly fallback: string | null;
  readonly description: string;
  readonly developmentOnly?: true;
}

function defaultOf({ fallback, developmentOnly }: DocumentedSetting): string {
  if (developmentOnly === true) return 'for development only; required in production';
  return fallback === null || fallback === '' ? 'not set' : `\`${fallback}\``;
}

/** The settings as a Markdown list, in the order of `src/process/config.ts`: one line for each, so that a change is one line. */
export function settingsList(): string {
  return Object.entries<DocumentedSetting>(settings)
    .map(([name, entry]) => `- \`${name}\` (${defaultOf(entry)}): ${entry.description}`)
    .join('\n');
}
