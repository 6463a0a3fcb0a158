import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { namedPromtool, programFolders } from '../support/config.ts';

function findPromtool(): string | null {
  const places = [namedPromtool, ...programFolders.map((folder) => join(folder, 'promtool'))];
  const canRun = (place: string | null): place is string => {
    try {
      if (place === null) return false;
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  return places.find(canRun) ?? null;
}

const promtool = findPromtool();
const rules = join(import.meta.dirname, '../../docs/observe/alerts.yml');

describe.skipIf(promtool === null)(
  'Prometheus itself (needs promtool in PATH or at TEST_PROMTOOL)',
  () => {
    test.each([
      ['takes the rules', ['check', 'rules', rules]],
      ['finds what they should find', ['test', 'rules', 'alerts.promtool.yml']],
    ])('%s', (_what, given) => {
      const { status, stdout, stderr } = spawnSync(promtool ?? '', given, {
        cwd: import.meta.dirname,
        encoding: 'utf8',
      });
      expect({ status }, `${stdout}\n${stderr}`).toEqual({ status: 0 });
    });
  },
);
