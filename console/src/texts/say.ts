/** What a file of texts holds: a text, or a branch of them. */
export interface TextBranch {
  readonly [key: string]: string | TextBranch;
}

type Values = Readonly<Record<string, string | number>>;

const form = /_(?:zero|one|two|few|many|other)$/;

/** What a text is called: without the form, where it has forms by number. Each of them has one for other numbers. */
function nameOf(key: string, texts: TextBranch): string {
  const name = key.replace(form, '');
  return `${name}_other` in texts ? name : key;
}

/**
 * The texts of a file as pages use them. A text with `{name}` takes its values: `revokeOf({ name })`. A text in forms by
 * number, `selected_one` and `selected_other`, is `selected({ count })`. A number has the digits of the language.
 */
export function say(branch: TextBranch, language: string): Readonly<Record<string, unknown>> {
  const numbers = new Intl.NumberFormat(language);
  const rules = new Intl.PluralRules(language);
  const fill = (text: string, values: Values) =>
    text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      return typeof value === 'number' ? numbers.format(value) : (value ?? '');
    });
  const said = (texts: TextBranch): Record<string, unknown> => {
    const found: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(texts)) {
      const name = nameOf(key, texts);
      if (typeof value !== 'string') found[key] = said(value);
      else if (name !== key) {
        found[name] = (values: Values & { readonly count: number }) => {
          const text = texts[`${name}_${rules.select(values.count)}`] ?? texts[`${name}_other`];
          return typeof text === 'string' ? fill(text, values) : '';
        };
      } else if (value.includes('{')) found[key] = (values: Values) => fill(value, values);
      else found[key] = value;
    }
    return found;
  };
  return said(branch);
}
