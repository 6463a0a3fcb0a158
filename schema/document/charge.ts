import type { ExecutionArgs } from 'graphql';
import type { Config } from '../../src/process/config.ts';
import type { Context } from '../context.ts';
import { costOf } from './cost.ts';
import { requireFitting } from './fitting-variables.ts';
import { longestList, requireShortLists } from './variables.ts';

/**
 * Executes an operation for the caller of a context, who keeps a place in the process until it is over. Its
 * cost is charged first and given to `execute`; zero for a document of our own. Throws what `execute` does,
 * bad_request or validation_failed for variables that do not fit, and what the allowance throws for a caller
 * who has gone or has no more to spend.
 */
export type Charged = <T>(
  context: Context,
  asked: ExecutionArgs,
  execute: (cost: number) => Promise<T>,
) => Promise<T>;

/** Makes the function that executes operations at their callers' expense. */
export function createCharged(config: Config): Charged {
  const longest = longestList(config);

  async function charge({ ownDocument, allowance }: Context, asked: ExecutionArgs) {
    if (ownDocument) return 0;
    requireShortLists(asked.variableValues, longest);
    requireFitting(asked);
    const cost = costOf(asked);
    await allowance?.spendCost(cost);
    return cost;
  }

  return async function charged(context, asked, execute) {
    context.allowance?.hold();
    try {
      return await execute(await charge(context, asked));
    } finally {
      context.allowance?.drop();
    }
  };
}
