import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** An alert of docs/observe/alerts.yml. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const observe = join(import.meta.dirname, '../../docs/observe');

/** A series that Prometheus makes of others, under the name `record`. */
interface RecordingRule {
  readonly record: string;
  readonly expr: string;
}

function readRules(): (AlertRule | RecordingRule)[] {
  const file = parse(readFileSync(join(observe, 'alerts.yml'), 'utf8')) as {
    groups: { rules: (AlertRule | RecordingRule)[] }[];
  };
  return file.groups.flatMap(({ rules }) => rules);
}

export const readAlertRules = (): AlertRule[] => readRules().filter((rule) => 'alert' in rule);

export const readRecordingRules = (): RecordingRule[] =>
  readRules().filter((rule) => 'record' in rule);

/** The expressions of the dashboard's panels. */
export function readDashboardExpressions(): string[] {
  const dashboard = JSON.parse(readFileSync(join(observe, 'dashboard.json'), 'utf8')) as {
    panels: { targets?: { expr: string }[] }[];
  };
  return dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

/** The parts of the query language that are no metrics. */
const words = new Set([
  'by',
  'abs',
  'max',
  'sum',
  'rate',
  'topk',
  'histogram_quantile',
  'le',
  'provider',
  'reason',
  'task',
  'kind',
  'instance',
  'state',
  'status',
  'operation',
  'outcome',
  'route',
  'e9',
  'increase',
  'avg_over_time',
  'offset',
  'and',
  'or',
  'on',
  'unless',
  'code',
  'environment',
  'age',
  'd',
  'm',
]);

/** The metrics that an expression names. */
export function metricsOf(expr: string): string[] {
  const bare = expr.replace(/\{[^}]*\}/g, '').replace(/\[[^\]]*\]/g, '');
  return [...bare.matchAll(/[a-z_][a-z0-9_:]*/g)]
    .map(([name]) => name)
    .filter((name) => !words.has(name));
}

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A scrape: what `/metrics` answered, by the name of the metric. */
export type Scrape = ReadonlyMap<string, readonly Sample[]>;

/** Reads the text format of Prometheus. */
export function parseScrape(text: string): Scrape {
  const scrape = new Map<string, Sample[]>();
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, given]) => [key, given]);
    const samples = scrape.get(name) ?? [];
    samples.push({
      labels: Object.fromEntries(pairs) as Record<string, string>,
      value: Number(value),
    });
    scrape.set(name, samples);
  }
  return scrape;
}

/** The samples of `metric{label="a",label=~"a|b"}`. */
function select(selector: string, scrape: Scrape): readonly Sample[] {
  const [, name = '', matchers = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(selector) ?? [];
  const wanted = [...matchers.matchAll(/(\w+)(=~|=)"([^"]*)"/g)];
  return (scrape.get(name) ?? []).filter(({ labels }) =>
    wanted.every(([, label = '', operator, value = '']) =>
      operator === '='
        ? labels[label] === value
        : new RegExp(`^(?:${value})$`).test(labels[label] ?? ''),
    ),
  );
}

/** One side of a rule: a selector, an aggregation, a rate between two scrapes, or a ratio of these. */
function evaluate(expr: string, now: Scrape, before: Scrape): number[] {
  const [left = '', right] = expr.split(' / ');
  if (right !== undefined) {
    const [above = 0] = evaluate(left, now, before);
    const [below = 0] = evaluate(right, now, before);
    return below === 0 ? [] : [above / below];
  }
  const [, aggregation, by, inner = ''] =
    /^(max|sum)(?: by \((\w+)\))? ?\((.*)\)$/.exec(expr) ?? [];
  if (aggregation === undefined) return valuesOf(expr, now, before).map(({ value }) => value);
  const groups = Map.groupBy(valuesOf(inner, now, before), ({ labels }) => labels[by ?? ''] ?? '');
  return [...groups.values()].map((samples) =>
    samples
      .map(({ value }) => value)
      .reduce((one, other) => (aggregation === 'max' ? Math.max(one, other) : one + other)),
  );
}

function valuesOf(expr: string, now: Scrape, before: Scrape): readonly Sample[] {
  const [, ranged] = /^rate\((.*)\[\w+\]\)$/.exec(expr) ?? [];
  if (ranged === undefined) return select(expr, now);
  const key = ({ labels }: Sample): string => JSON.stringify(labels);
  const earlier = new Map(select(ranged, before).map((sample) => [key(sample), sample.value]));
  return select(ranged, now).map((sample) => ({
    ...sample,
    value: sample.value - (earlier.get(key(sample)) ?? 0),
  }));
}

/** Whether a condition looks at what Prometheus has recorded, and so at its own past; test/docs/promtool.test.ts tries it. */
export const looksBack = ({ expr }: Pick<AlertRule, 'expr'>): boolean => expr.includes('payouts:');

/**
 * Whether the condition of an alert holds, by two scrapes; the time that it must hold for is not waited. Throws
 * for an expression that is none of those above.
 */
export function holds(
  { expr }: Pick<AlertRule, 'expr'>,
  now: Scrape,
  before: Scrape = new Map(),
): boolean {
  const parts = expr.split(' and ');
  if (parts.length > 1) return parts.every((part) => holds({ expr: part }, now, before));
  const [, side, comparison, threshold] = /^(.*) ([<>]) ([\d.]+)$/.exec(expr) ?? [];
  if (side === undefined) throw new Error(`cannot evaluate ${expr}`);
  return evaluate(side, now, before).some((value) =>
    comparison === '>' ? value > Number(threshold) : value < Number(threshold),
  );
}
