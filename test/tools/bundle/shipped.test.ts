import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** Why a file of these folders runs the sources all the same. */
const fromSources: Readonly<Record<string, string>> = {
  'test/security/away.test.ts': 'it takes the connections of the pool that the API has',
  'test/security/graphql-documents.test.ts':
    'it measures the event loop of the process that reads the document',
  'test/security/operator-log.test.ts': 'its provider is an object of the test',
};

test('the walks, the fuzzer and the hardening tests try what is shipped', () => {
  const files = [
    ...globSync('test/{walk,contract,security}/*.test.ts', { cwd: root }),
    'test/rest/http/hardening.test.ts',
  ];
  const unshipped = files.filter((name) => {
    const text = readFileSync(join(root, name), 'utf8');
    const starts = text.match(/\b(?:startHarness|useHarness|usePayoutWorld)\(/g) ?? [];
    const shipped = text.match(/\bshipped: true\b/g) ?? [];
    return starts.length > shipped.length;
  });
  expect(unshipped.toSorted()).toEqual(Object.keys(fromSources).toSorted());
});
