import { join } from 'node:path';

/** Where processes of the tests keep what Node made of the sources, so that the next one need not. */
export const compileCache = join(import.meta.dirname, '../../node_modules/.cache/test-compiled');

/** Lets this process's children, the tests among them, use the compile cache; one that is set stays. */
export function shareCompileCache(): void {
  process.env['NODE_COMPILE_CACHE'] ??= compileCache;
}
