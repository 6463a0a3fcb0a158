/** Every icon, drawn by one line of 1.5 in a square of 16. */
const ring = 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12';
const lines = {
  overview: 'M2.5 7 8 2.5 13.5 7v6.5h-4V9.7h-3v3.8h-4z',
  approval: `${ring}M5.5 8.2l1.8 1.8 3.3-3.8`,
  payout: 'M4.5 11.5l7-7M6 4.5h5.5V10',
  payees:
    'M6 7.5A2.25 2.25 0 1 0 6 3a2.25 2.25 0 0 0 0 4.5M2 13c.3-2.3 1.9-3.5 4-3.5s3.7 1.2 4 3.5M10.7 3.3a2.1 2.1 0 0 1 0 4M11.8 9.8c1.3.4 2 1.6 2.2 3.2',
  money:
    'M2.5 4.5H12A1.5 1.5 0 0 1 13.5 6v5.5A1.5 1.5 0 0 1 12 13H4a1.5 1.5 0 0 1-1.5-1.5zm0 0A1.5 1.5 0 0 1 4 3h7M10.7 8.7h.1',
  bank: 'M2.5 6.2 8 3l5.5 3.2zM4 6.5v5M6.7 6.5v5M9.3 6.5v5M12 6.5v5M2.5 13h11',
  shield: 'M8 2.2 13 4v3.7c0 3-2 5.2-5 6.1-3-.9-5-3.1-5-6.1V4zM5.8 7.9l1.6 1.6 2.8-3.1',
  bolt: 'M9 2.5 4 9h3.5L7 13.5 12 7H8.5z',
  download: 'M8 2.5V10M5 7l3 3 3-3M2.5 13h11',
  plug: 'M5.5 2.5v3M10.5 2.5v3M4 5.5h8V8a4 4 0 0 1-8 0zM8 12v2',
  pulse: 'M2 8h2.5l2-4.5 3 9 2-4.5H14',
  person: 'M8 8a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 8 8M3 13.5c.4-2.5 2.3-3.8 5-3.8s4.6 1.3 5 3.8',
  rules:
    'M3 4.5h6M12 4.5h1M3 11.5h1M7 11.5h6M10.5 6a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3M5.5 13a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3',
  key: 'M10 8.8A3.2 3.2 0 1 0 7.2 6l-4.5 4.5V13h2.6v-1.6h1.6V9.8H8z',
  settings:
    'M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4M8 2v1.8M8 12.2V14M2 8h1.8M12.2 8H14M3.8 3.8 5 5M11 11l1.2 1.2M3.8 12.2 5 11M11 5l1.2-1.2',
  account: `${ring}M8 8.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4M4.3 12.6c.6-1.6 2-2.3 3.7-2.3s3.1.7 3.7 2.3`,
  building: 'M3.5 13.5v-11h6v11M9.5 6.5h3v7M2 13.5h12M5.7 5.2h1.6M5.7 8h1.6M5.7 10.8h1.6',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.3 10.3l3.2 3.2',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM2.5 10.5v-8h8',
  tick: 'M3.5 8.5l3 3 6-6.5',
  clock: `${ring}M8 4.8V8l2.2 1.4`,
  fault: `${ring}M8 5v3.6M8 10.9v.1`,
  warning:
    'M7.1 3 2 11.8a1 1 0 0 0 .9 1.5h10.2a1 1 0 0 0 .9-1.5L8.9 3a1 1 0 0 0-1.8 0zM8 6.3v3M8 11.2v.1',
  going: `${ring}M5.5 8h5M8.5 6l2 2-2 2`,
  ended: `${ring}M5.5 8h5`,
  note: `${ring}M8 7.3V11M8 5v.1`,
  filter: 'M2.5 4.5h11M4.5 8h7M6.5 11.5h3',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  plus: 'M8 3v10M3 8h10',
  bookmark: 'M4.5 2.5h7v11L8 10.8l-3.5 2.7z',
  inbox:
    'M2 9l2.1-5.2a1.3 1.3 0 0 1 1.2-.8h5.4a1.3 1.3 0 0 1 1.2.8L14 9v2.7a1.3 1.3 0 0 1-1.3 1.3H3.3A1.3 1.3 0 0 1 2 11.7zM2 9h3.3l1 1.7h3.4l1-1.7H14',
  leave: 'M6.5 13.5h-4v-11h4M10 5l3 3-3 3M13 8H6.5',
} as const;

export type IconName = keyof typeof lines;

/** The names of all icons. */
export const iconNames = Object.keys(lines) as IconName[];

/** A sign beside a word, or in its place where the control has a label. Screen readers read the word alone. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden>
      <path d={lines[name]} />
    </svg>
  );
}
