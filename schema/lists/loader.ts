import DataLoader from 'dataloader';
import type { Call } from '../../src/process/services.ts';
import type { Context } from '../context.ts';

/**
 * Reads what many places of an operation ask for in one query.
 * @param read answers each key, in the order of the keys
 * @param keyOf tells keys apart that are objects
 */
export function loadBy<Key, Value>(
  read: (call: Call, keys: readonly Key[]) => Promise<readonly Value[]>,
  keyOf: (key: Key) => string,
): (context: Context, key: Key) => Promise<Value> {
  const loaders = new WeakMap<Context, DataLoader<Key, Value, string>>();
  return (context, key) => {
    let loader = loaders.get(context);
    if (loader === undefined) {
      loader = new DataLoader<Key, Value, string>((keys) => read(context.call, keys), {
        cacheKeyFn: keyOf,
      });
      loaders.set(context, loader);
    }
    return loader.load(key);
  };
}
