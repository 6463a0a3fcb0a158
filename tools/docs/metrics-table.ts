import {
  countedMetrics,
  processMetrics,
  storedMetrics,
  type Declared,
} from '../../src/process/metrics/declared.ts';

const row = ([name, { kind, labels, help }]: [string, Declared]): string =>
  `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help.replaceAll('|', '\\|')} |`;

const table = (metrics: Readonly<Record<string, Declared>>): string =>
  [
    '| Metric | Kind | Labels | What it says |',
    '| --- | --- | --- | --- |',
    ...Object.entries(metrics).map(row),
  ].join('\n');

/** The metrics as Markdown, in the order of their declaration. */
export function metricsTable(): string {
  return `Counted by each process:

${table({ ...countedMetrics, ...processMetrics })}

Read from the database, the same from every process:

${table(storedMetrics)}`;
}
