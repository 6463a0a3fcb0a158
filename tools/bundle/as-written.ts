/**
 * Options of rolldown with which the bundle does what its sources do. Both of its ways to leave code out take calls of
 * many built-ins for pure, so that `decodeURIComponent(text)` disappears where only its error matters, and believe the
 * marks of purity in packages. No finer option of either keeps all of that. What is left in instead is compiled only
 * when it is called.
 */
export const asWritten = {
  input: { treeshake: false },
  output: { minify: false, keepNames: true },
} as const;
