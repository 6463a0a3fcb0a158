import { paletteOf, type Shades } from '../../src/values/color.ts';

/** The name of the style sheet of a colour `#rrggbb`. */
export const brandFile = (color: string): string => `brand-${color.slice(1)}.css`;

const filePattern = /^brand-([0-9a-f]{6})\.css$/;

/**
 * The style sheet of a colour: it sets the variables of look.css. It follows from its name alone, so
 * the pages need neither a style of their own, which their policy refuses, nor a look into the database.
 */
export function brandSheet(color: string): string {
  const { button, buttonStrong, onButton, light, dark } = paletteOf(color);
  const both = (shade: keyof Shades) => `light-dark(${light[shade]}, ${dark[shade]})`;
  return `:root {
  --accent: ${both('accent')};
  --accent-strong: ${both('accentStrong')};
  --on-accent: ${both('onAccent')};
  --tint: ${both('tint')};
  --focus: ${both('accent')};
  --button: ${button};
  --button-strong: ${buttonStrong};
  --on-button: ${onButton};
}
`;
}

/** The style sheet of a file's name; null for the name of anything else. */
export function sheetOf(file: string): string | null {
  const color = filePattern.exec(file)?.[1];
  return color === undefined ? null : brandSheet(`#${color}`);
}
