import type { builder } from '../builder.ts';
import { mostCounted, type ListPage } from './page.ts';

type Types = typeof builder.$inferSchemaTypes;

/** Reading up to ten thousand entries of an index costs as much as some hundred rows. */
const countCost = 50;

async function counted({ total }: Pick<ListPage<unknown>, 'total'>) {
  if (total === null) throw new Error('the list is not counted');
  return total();
}

/** The fields of a connection that say how many rows the whole list has. */
export function totalFields<Shape extends Pick<ListPage<unknown>, 'total'>>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>,
) {
  return {
    totalCount: t.int({
      description: `How many rows the list has, on all pages together. Counted up to ${mostCounted.toLocaleString('en')}; totalCountIsExact says whether there are more.`,
      complexity: countCost,
      resolve: async (page) => (await counted(page)).count,
    }),
    totalCountIsExact: t.boolean({
      description: 'false: the list has totalCount rows or more, for example "10,000+".',
      complexity: countCost,
      resolve: async (page) => (await counted(page)).exact,
    }),
  };
}
