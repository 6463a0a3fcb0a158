import {
  countedMetrics,
  processMetrics,
  storedMetrics,
  type Declared,
} from '../../src/process/metrics/declared.ts';

const line = ([name, { kind, labels, help }]: [string, Declared]): string => {
  const of = [kind, ...labels.map((label) => `\`${label}\``)].join(', ');
  return `- \`${name}\` (${of}): ${help}`;
};

const list = (metrics: Readonly<Record<string, Declared>>): string =>
  Object.entries(metrics).map(line).join('\n');

/** The metrics as Markdown lists, in the order of their declaration. */
export function metricsList(): string {
  return `Counted by each process, with its kind and labels:

${list({ ...countedMetrics, ...processMetrics })}

Read from the database, the same from every process:

${list(storedMetrics)}`;
}
