import { createHash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { fileOrder } from './config.ts';

/** Their tests start processes or browsers, and some files take minutes. */
const slowFolders = ['chaos', 'bench', 'browser', 'model', 'dev', 'matrix', 'ops'];

const isSlow = ({ moduleId }: TestSpecification): boolean =>
  slowFolders.some((name) => moduleId.includes(`/test/${name}/`));

function shuffled(files: readonly TestSpecification[], order: string): TestSpecification[] {
  const placed = files.map((file) => ({
    file,
    place: createHash('sha256').update(`${order} ${file.moduleId}`).digest('hex'),
  }));
  return placed.toSorted((a, b) => (a.place < b.place ? -1 : 1)).map(({ file }) => file);
}

/** The slow folders first, so that at the end no worker is left alone with a file of minutes. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    if (fileOrder !== null) return shuffled(files, fileOrder);
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
