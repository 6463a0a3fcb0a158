import { defaultColor, paletteOf, type Palette } from '../values/color.ts';
import { html, type Html } from '../values/html.ts';

/** How a business wants its mails to look, and whom their readers can ask. */
export interface MailBranding {
  /** `#rrggbb`. */
  readonly color: string | null;
  /** An e-mail address or an https URL. */
  readonly supportContact: string | null;
  readonly privacyUrl: string | null;
  readonly logo: {
    readonly content: Buffer;
    readonly contentType: string;
    /** Pixels. */
    readonly width: number;
    readonly height: number;
  } | null;
}

/** What a mail is framed with. */
export interface MailFrame {
  /** Tag of the language that it is written in. */
  readonly lang: string;
  readonly title: string;
  /** The name at the top: of the business, kept short. */
  readonly name: string;
  readonly branding: MailBranding;
  /** Below the card: whom to ask, and how the data is used. */
  readonly footer?: Html | null;
}

/** The mails of the service itself. */
export const plainBranding: MailBranding = {
  color: null,
  supportContact: null,
  privacyUrl: null,
  logo: null,
};

/** The logo travels with the mail: nothing is loaded from elsewhere, so that opening it is not tracked. */
export const logoId = 'logo@payouts';

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const text = '#17201f';
const muted = '#53605e';

/** The shades of a mail, which is drawn in the light: mail readers darken it their own way. */
function mailPalette({ color }: MailBranding): Palette {
  return paletteOf(color ?? defaultColor);
}

function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.replace(/^[^\p{L}\p{N}]+/u, ''));
  return (first?.segment ?? '·').toLocaleUpperCase();
}

const largest = { width: 160, height: 48 };

/** The logo, scaled by attributes, which every mail reader follows, or the first letter in its place. */
function markOf({ name, branding }: MailFrame): Html {
  const { logo } = branding;
  if (logo === null) {
    const { light } = mailPalette(branding);
    return html`<td
      align="center"
      width="40"
      height="40"
      style="width:40px;height:40px;border-radius:10px;background:${light.accent};color:${light.onAccent};${font};font-size:18px;font-weight:600;line-height:40px"
      aria-hidden="true"
    >
      ${initialOf(name)}
    </td>`;
  }
  const scale = Math.min(1, largest.width / logo.width, largest.height / logo.height);
  const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  return html`<td style="padding:4px;border-radius:8px;background:#ffffff">
    <img
      src="cid:${logoId}"
      width="${side(logo.width)}"
      height="${side(logo.height)}"
      alt=""
      style="display:block;border:0"
    />
  </td>`;
}

/** A paragraph. */
export function paragraph(content: Html | string): Html {
  return html`<p style="margin:0 0 16px;${font};font-size:16px;line-height:1.55;color:${text}">
    ${content}
  </p>`;
}

/** A paragraph of what matters less. */
export function note(content: Html | string): Html {
  return html`<p style="margin:0 0 12px;${font};font-size:14px;line-height:1.55;color:${muted}">
    ${content}
  </p>`;
}

/** A box that is read first. */
export function notice(content: Html | string): Html {
  return html`<p
    style="margin:0 0 20px;padding:10px 14px;border:1px solid #d9a520;border-radius:8px;background:#fdf3d8;${font};font-size:15px;line-height:1.5;color:${text}"
  >
    ${content}
  </p>`;
}

/** A command to be copied. */
export function code(content: string): Html {
  return html`<pre
    style="margin:0 0 16px;padding:14px 16px;border:1px solid #dbe1df;border-radius:8px;background:#f7f9f8;font-size:13px;line-height:1.5;color:${text};white-space:pre-wrap;overflow-wrap:anywhere;word-break:break-word"
  ><code>${content}</code></pre>`;
}

/** A link in a text, in the colour of the mail. */
export function link(href: string, label: string, branding: MailBranding): Html {
  const { light } = mailPalette(branding);
  return html`<a
    href="${href}"
    style="color:${light.accent};overflow-wrap:anywhere;word-break:break-word"
    >${label}</a
  >`;
}

/** The button of a mail. A table, since some mail readers give an inline element no ground. */
export function button(href: string, label: string, branding: MailBranding): Html {
  const palette = mailPalette(branding);
  return html`<table
    role="presentation"
    cellpadding="0"
    cellspacing="0"
    border="0"
    style="margin:24px 0"
  >
    <tr>
      <td
        style="border-radius:8px;background:${palette.button};border:1px solid ${palette.light.accent}"
      >
        <a
          href="${href}"
          style="display:inline-block;padding:14px 28px;${font};font-size:16px;font-weight:600;line-height:1.3;color:${palette.onButton};text-decoration:none"
          >${label}</a
        >
      </td>
    </tr>
  </table>`;
}

/**
 * The frame of every mail's HTML part, in the look of the collection pages. The layout is of tables,
 * and styles are inline, because mail readers drop style sheets and know little of CSS.
 */
export function mailLayout(frame: MailFrame, content: Html): string {
  const { lang, title, name, footer } = frame;
  return html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <meta name="format-detection" content="telephone=no" />
        <title>${title}</title>
      </head>
      <body style="margin:0;padding:0;background:#f3f5f4">
        <div role="main" lang="${lang}" style="background:#f3f5f4">
          <table
            role="presentation"
            width="100%"
            cellpadding="0"
            cellspacing="0"
            border="0"
            style="background:#f3f5f4"
          >
            <tr>
              <td align="center" style="padding:24px 16px">
                <table
                  role="presentation"
                  width="100%"
                  cellpadding="0"
                  cellspacing="0"
                  border="0"
                  style="max-width:560px"
                >
                  <tr>
                    <td style="padding:0 0 20px">
                      <table role="presentation" cellpadding="0" cellspacing="0" border="0">
                        <tr>
                          ${markOf(frame)}
                          <td
                            style="padding:0 0 0 12px;${font};font-size:17px;font-weight:600;line-height:1.3;color:${text};word-break:break-word"
                          >
                            ${name}
                          </td>
                        </tr>
                      </table>
                    </td>
                  </tr>
                  <tr>
                    <td
                      style="padding:28px 24px;border:1px solid #dbe1df;border-radius:14px;background:#ffffff"
                    >
                      <h1
                        style="margin:0 0 16px;${font};font-size:24px;font-weight:650;line-height:1.25;color:${text};word-break:break-word"
                      >
                        ${title}
                      </h1>
                      ${content}
                    </td>
                  </tr>
                  ${
                    (footer ?? null) === null
                      ? null
                      : html`<tr>
                          <td style="padding:20px 4px 0">${footer}</td>
                        </tr>`
                  }
                </table>
              </td>
            </tr>
          </table>
        </div>
      </body>
    </html> `.toString();
}
