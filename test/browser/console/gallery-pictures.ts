import type { Picture } from '../../support/png.ts';

/** Where a specimen of the gallery stands in a picture of it. */
export interface Box {
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A side of the squares whose mean colours are compared: the edge of a letter may differ by the font renderer. */
const square = 8;
/** Of 255, by which a square's mean of a colour may differ. */
const tolerance = 20;
/** The part of a specimen's squares that may differ by more. */
const share = 0.004;

function meanOf({ pixels, width, channels }: Picture, left: number, top: number): number[] {
  const sums = [0, 0, 0];
  for (let y = top; y < top + square; y += 1) {
    for (let x = left; x < left + square; x += 1) {
      for (const [place, sum] of sums.entries()) {
        sums[place] = sum + (pixels[(y * width + x) * channels + place] ?? 0);
      }
    }
  }
  return sums.map((sum) => sum / square ** 2);
}

interface Side {
  readonly picture: Picture;
  readonly boxes: readonly Box[];
}

/** How much of a specimen looks otherwise, from 0 to 1. */
function difference(was: Picture, old: Box, is: Picture, present: Box): number {
  const columns = Math.floor(Math.min(old.width, present.width) / square);
  const rows = Math.floor(Math.min(old.height, present.height) / square);
  let differing = 0;
  for (let place = 0; place < columns * rows; place += 1) {
    const [x, y] = [(place % columns) * square, Math.floor(place / columns) * square];
    const before = meanOf(was, old.x + x, old.y + y);
    const now = meanOf(is, present.x + x, present.y + y);
    if (before.some((mean, at) => Math.abs(mean - (now[at] ?? 0)) > tolerance)) differing += 1;
  }
  return differing / Math.max(1, columns * rows);
}

/** What of the gallery looks otherwise than in the picture that is kept: each specimen by its title, and how. */
export function differences(was: Side, is: Side): string[] {
  const titles = new Set([...was.boxes, ...is.boxes].map(({ title }) => title));
  return [...titles].flatMap((title) => {
    const old = was.boxes.find((box) => box.title === title);
    const present = is.boxes.find((box) => box.title === title);
    if (old === undefined) return [`${title} is new`];
    if (present === undefined) return [`${title} is gone`];
    const higher = present.height - old.height;
    const wider = present.width - old.width;
    if (Math.abs(higher) > 3 || Math.abs(wider) > 3) {
      return [`${title} is ${wider} wider and ${higher} higher`];
    }
    const part = difference(was.picture, old, is.picture, present);
    return part > share ? [`${title}: ${(part * 100).toFixed(1)} % of it looks otherwise`] : [];
  });
}
