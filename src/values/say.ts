/** What a file of texts holds: a text, or a branch of them. */
export interface TextBranch {
  readonly [key: string]: string | TextBranch;
}

type Values = Readonly<Record<string, string | number>>;

/**
 * The texts of a file as pages and mails use them. One with `{name}` takes its values: `whoGets({ business })`. What is
 * known from the start is put in at once.
 */
export function say(branch: TextBranch, known: Values = {}): Readonly<Record<string, unknown>> {
  const fill = (text: string, values: Values) =>
    text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
  const said = (value: string | TextBranch): unknown => {
    if (typeof value !== 'string') return say(value, known);
    const text = fill(value, known);
    return text.includes('{') ? (values: Values) => fill(text, values) : text;
  };
  return Object.fromEntries(Object.entries(branch).map(([key, value]) => [key, said(value)]));
}
