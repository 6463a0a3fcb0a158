/*
 * A browser may name a language by the locale of its system, such as `en-US@posix`, which is no language tag, so that
 * `Intl` throws. The chart's package asks `Intl` with it while it loads. This stands before it.
 */
const isTag = (text: string): boolean => {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
};

if (!isTag(navigator.language)) {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}

export {};
