import DataLoader from 'dataloader';
import type { Call } from '../../src/process/services.ts';
import type { Context } from '../context.ts';

/**
 * Collects what many places of one operation ask for, and reads it in one query.
 * @param read answers each key, in the order of the keys
 * @param keyOf names a key that is an object, so that equal ones are read once
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
