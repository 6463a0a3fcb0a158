import { html, type Html } from '../values/html.ts';

/**
 * The frame of every mail's HTML part. Styles are inline and the layout is one column, since mail
 * readers drop style sheets; nothing is loaded from elsewhere, so that opening a mail is not tracked.
 */
export function mailLayout(title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
      </head>
      <body
        style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif"
      >
        <main style="max-width:560px;margin:0 auto">
          <h1 style="font-size:22px;line-height:1.3;margin:0 0 16px">${title}</h1>
          ${content}
        </main>
      </body>
    </html> `.toString();
}
