/** Red, green and blue from 0 to 255. */
type Rgb = readonly [number, number, number];

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
/** The darkest ground in the light, and the lightest in the dark, that text stands on. */
const lightGround: Rgb = [0xf3, 0xf5, 0xf4];
const darkGround: Rgb = [0x1f, 0x26, 0x27];

/** The contrast that text of any size needs (WCAG 2.2, success criterion 1.4.3). */
const enough = 4.5;

/** The colour of pages and mails whose business has chosen none. */
export const defaultColor = '#0f5b57';

function parse(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function format(rgb: Rgb): string {
  return `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** `share` of the first colour, from 0 to 1, and the rest of the second. */
function mix(first: Rgb, second: Rgb, share: number): Rgb {
  const part = (at: 0 | 1 | 2) => Math.round(first[at] * share + second[at] * (1 - share));
  return [part(0), part(1), part(2)];
}

/** WCAG 2.2, relative luminance. */
function luminance(rgb: Rgb): number {
  const linear = (value: number): number => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
}

function contrast(first: Rgb, second: Rgb): number {
  const [a, b] = [luminance(first), luminance(second)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The contrast of two colours `#rrggbb`, from 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrastOf(first: string, second: string): number {
  return contrast(parse(first), parse(second));
}

/** The colour, moved towards `end` until it can be read on every ground. */
function readable(color: Rgb, end: Rgb, grounds: readonly Rgb[]): Rgb {
  for (let share = 100; share > 0; share -= 2) {
    const moved = mix(color, end, share / 100);
    if (grounds.every((ground) => contrast(moved, ground) >= enough)) return moved;
  }
  return end;
}

/** The shades that a page or a mail is drawn in. Each is `#rrggbb`. */
export interface Shades {
  /** Links, borders and marks; readable as text on page and tint. */
  readonly accent: string;
  readonly accentStrong: string;
  /** A pale ground. */
  readonly tint: string;
  /** Text on `accent`. */
  readonly onAccent: string;
}

export interface Palette {
  /** The colour as it was chosen, for buttons. */
  readonly button: string;
  readonly buttonStrong: string;
  /** Text on the button: white where it can be read, else black. One of the two always can. */
  readonly onButton: string;
  readonly light: Shades;
  readonly dark: Shades;
}

/**
 * The shades of a business's colour (`#rrggbb`). Every colour can be chosen: where it is too pale or
 * too dark to be read as text, a darker or lighter shade of it takes its place.
 */
export function paletteOf(color: string): Palette {
  const chosen = parse(color);
  const onButton = contrast(white, chosen) >= enough ? white : black;
  const lightTint = mix(chosen, white, 0.09);
  const darkTint = mix(chosen, darkGround, 0.16);
  const light = readable(chosen, black, [lightTint, lightGround]);
  const dark = readable(chosen, white, [darkTint, darkGround]);
  return {
    button: color,
    // Away from the text on it, so that the contrast grows.
    buttonStrong: format(mix(chosen, onButton === white ? black : white, 0.82)),
    onButton: format(onButton),
    light: {
      accent: format(light),
      accentStrong: format(mix(light, black, 0.8)),
      tint: format(lightTint),
      onAccent: format(white),
    },
    dark: {
      accent: format(dark),
      accentStrong: format(mix(dark, white, 0.7)),
      tint: format(darkTint),
      onAccent: format(black),
    },
  };
}
