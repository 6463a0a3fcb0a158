import { fillCompileCache } from '../../dev/stack/compile-cache.ts';
import { compileCache, shareCompileCache } from './config.ts';

/**
 * Every test file is a process of its own that imports the service, and so are the processes that some tests
 * kill. Stripping types and compiling is half of their start, so it is kept. A killed process keeps nothing, so
 * the first run fills the cache.
 */
export function useCompileCache(): Promise<void> {
  shareCompileCache();
  return fillCompileCache({ NODE_COMPILE_CACHE: compileCache });
}
