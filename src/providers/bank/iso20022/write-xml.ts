const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** An element that holds text, or nothing at all where there is no text. */
export function leaf(name: string, text: string): string {
  if (text === '') return '';
  return `<${name}>${text.replaceAll(/[&<>]/g, (sign) => entities[sign] ?? '')}</${name}>`;
}

/** An element that holds elements, or nothing at all where none of them is there. */
export function element(name: string, parts: readonly string[]): string {
  const content = parts.join('');
  return content === '' ? '' : `<${name}>${content}</${name}>`;
}
