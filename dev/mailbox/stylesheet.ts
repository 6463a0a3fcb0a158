/** The mailbox's one style sheet, served at `/style.css` so that the policy needs no inline styles. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f4f5f7, #14171c);
  --surface: light-dark(#ffffff, #1d2128);
  --line: light-dark(#d9dde3, #353b45);
  --text: light-dark(#1b1f26, #e8eaee);
  --muted: light-dark(#565e6b, #a4adba);
  --accent: light-dark(#0b57b8, #8ab8ff);
}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  overflow-wrap: anywhere;
}
header, main { max-width: 64rem; margin: 0 auto; padding: 1rem; }
header { padding-bottom: 0; }
header p { margin: 0; color: var(--muted); }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0.25rem 0 1rem; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 0.5rem; }
a { color: var(--accent); }
a:focus-visible, iframe:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.surface { background: var(--surface); border: 1px solid var(--line); border-radius: 0.5rem; }
.mails { list-style: none; margin: 0; padding: 0; }
.mails li + li { border-top: 1px solid var(--line); }
.mails a {
  display: grid;
  gap: 0.125rem 1.5rem;
  padding: 0.75rem 1rem;
  color: inherit;
  text-decoration: none;
}
.mails a:hover .subject { text-decoration: underline; }
.subject { font-weight: 600; color: var(--accent); }
.people, .time, .none { color: var(--muted); font-size: 0.9rem; }
.none { padding: 2rem 1rem; margin: 0; text-align: center; }
dl { display: grid; gap: 0 1rem; margin: 0; padding: 0.75rem 1rem; }
dt { color: var(--muted); font-size: 0.9rem; }
dd { margin: 0 0 0.5rem; }
.body { margin: 0; padding: 1rem; font: inherit; white-space: pre-wrap; }
.links { margin: 0; padding: 0.75rem 1rem 0.75rem 2.25rem; }
.links a { display: inline-block; padding: 0.25rem 0; }
iframe { display: block; width: 100%; height: 32rem; background: #ffffff; color-scheme: light; }
@media (min-width: 48rem) {
  header, main { padding-inline: 2rem; }
  .mails a { grid-template-columns: 1fr auto; }
  .time { grid-row: 1 / 3; grid-column: 2; align-self: center; }
  dl { grid-template-columns: max-content 1fr; }
}
`;
