/** Characters that stand at nearly the same place, and how many of them are in another order. */
function common(left: string, right: string): { matches: number; transpositions: number } {
  const window = Math.max(0, Math.floor(Math.max(left.length, right.length) / 2) - 1);
  const takenLeft: boolean[] = [];
  const takenRight: boolean[] = [];
  let matches = 0;
  for (let i = 0; i < left.length; i += 1) {
    const last = Math.min(right.length - 1, i + window);
    for (let j = Math.max(0, i - window); j <= last; j += 1) {
      if (takenRight[j] === true || left[i] !== right[j]) continue;
      takenLeft[i] = takenRight[j] = true;
      matches += 1;
      break;
    }
  }
  let transpositions = 0;
  let j = 0;
  for (let i = 0; i < left.length; i += 1) {
    if (takenLeft[i] !== true) continue;
    while (takenRight[j] !== true) j += 1;
    if (left[i] !== right[j]) transpositions += 1;
    j += 1;
  }
  return { matches, transpositions: transpositions / 2 };
}

/** Jaro's similarity of two texts, from 0 to 1 (Jaro 1989). */
function jaro(left: string, right: string): number {
  if (left === right) return left === '' ? 0 : 1;
  const { matches, transpositions } = common(left, right);
  if (matches === 0) return 0;
  return (
    (matches / left.length + matches / right.length + (matches - transpositions) / matches) / 3
  );
}

/** Up to four equal characters at the beginning raise the similarity. */
const longestPrefix = 4;
const prefixWeight = 0.1;

/**
 * Jaro and Winkler's similarity (Winkler 1990).
 *
 * @param threshold the similarity from which on an equal beginning counts: 0.7 in the paper, 0 in SimMetrics
 */
export function jaroWinkler(left: string, right: string, threshold: number): number {
  const similarity = jaro(left, right);
  if (similarity === 0 || similarity < threshold) return similarity;
  let prefix = 0;
  while (prefix < longestPrefix && prefix < left.length && left[prefix] === right[prefix]) {
    prefix += 1;
  }
  return similarity + prefix * prefixWeight * (1 - similarity);
}
