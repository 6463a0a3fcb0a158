import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  countedMetrics,
  processMetrics,
  storedMetrics,
} from '../../src/process/metrics/declared.ts';
import { createMetrics } from '../../src/process/metrics.ts';
import {
  holds,
  metricsOf,
  parseScrape,
  readAlertRules,
  looksBack,
  readDashboardExpressions,
  readRecordingRules,
} from '../support/alert-rules.ts';

const runbooks = readFileSync(join(import.meta.dirname, '../../docs/runbooks.md'), 'utf8');
/** As GitHub makes anchors of headings. */
const anchors = [...runbooks.matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-'),
);

const declared: Record<string, { readonly kind: string }> = {
  ...countedMetrics,
  ...storedMetrics,
  ...processMetrics,
};
/** A histogram is three series. `up` is Prometheus' own. */
const series = new Set([
  'up',
  ...readRecordingRules().map(({ record }) => record),
  ...Object.entries(declared).flatMap(([name, { kind }]) =>
    kind === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
  ),
]);

describe('the alert rules', () => {
  const rules = readAlertRules();

  it('name metrics that exist, and conditions that can be evaluated', () => {
    expect(rules.length).toBeGreaterThan(15);
    for (const rule of rules) {
      const metrics = metricsOf(rule.expr);
      expect(metrics.length, rule.alert).toBeGreaterThan(0);
      expect(
        metrics.filter((name) => !series.has(name)),
        rule.alert,
      ).toEqual([]);
      if (!looksBack(rule)) expect(holds(rule, parseScrape('')), rule.alert).toBe(false);
    }
  });

  it('are made of metrics that exist', () => {
    for (const { record, expr } of readRecordingRules()) {
      expect(
        metricsOf(expr).filter((name) => !series.has(name)),
        record,
      ).toEqual([]);
    }
  });

  it('each has a section in the runbooks, and each section an alert', () => {
    const linked = rules.map(({ annotations }) =>
      annotations.runbook.replace('docs/runbooks.md#', ''),
    );
    expect(linked.toSorted()).toEqual(anchors.toSorted());
  });

  it('come soon enough to be seen within two minutes, if they wake somebody', () => {
    for (const { alert, for: wait = '0s', labels } of rules) {
      if (labels.severity === 'page') expect(['0s', '30s', '1m', '2m'], alert).toContain(wait);
    }
  });
});

describe('the runbooks', () => {
  it('say for each alert what it means, where to look and what to do', () => {
    for (const section of runbooks.split(/^## /m).slice(1)) {
      for (const part of ['**It means:**', '**Look:**', '**Do:**']) expect(section).toContain(part);
    }
  });

  it('link to sections that exist', () => {
    for (const [, anchor] of runbooks.matchAll(/\]\(#([\w-]+)\)/g))
      expect(anchors).toContain(anchor);
  });
});

describe('the dashboard', () => {
  it('names metrics that exist', () => {
    const named = new Set(readDashboardExpressions().flatMap(metricsOf));
    expect(named.size).toBeGreaterThan(15);
    expect([...named].filter((name) => !series.has(name))).toEqual([]);
  });
});

it('every metric of the service is in an alert or on the dashboard', () => {
  const seen = [...readAlertRules().map(({ expr }) => expr), ...readDashboardExpressions()];
  const named = new Set(
    seen.flatMap(metricsOf).map((name) => name.replace(/_(bucket|count)$/, '')),
  );
  expect(Object.keys(declared).filter((name) => !named.has(name))).toEqual([]);
});

it('the metrics of a process are those that are declared', async () => {
  const metrics = createMetrics('api');
  metrics.watch({
    pool: { totalCount: 0, idleCount: 0, waitingCount: 0 },
    databaseProblem: () => null,
    databaseFull: () => false,
    clockAhead: () => 0,
    silentNodes: () => [],
    keys: () => ({ ids: ['k2', 'k1'], unread: false, wrong: false }),
    circuits: () => ({}),
  });
  const { text } = await metrics.expose();
  const served = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const own = Object.keys({ ...countedMetrics, ...processMetrics });
  expect(own.filter((name) => !served.has(name))).toEqual([]);
  const undeclared = [...served].filter(
    (name) => name?.startsWith('payouts_') && !(name in declared),
  );
  expect(undeclared).toEqual([]);
});
