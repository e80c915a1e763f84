import { escapedHtml, inkOn, telephoneUrl } from '@sav/core/adapter'
import { nbsp, unbreakable } from './french.js'

/** The content of a mail, as text and as HTML. */
export interface MailBody {
  readonly text: string
  readonly html: string
}

/** A paragraph, a link with its words, a heading, or a numbered list. */
export type Part =
  | string
  | { readonly words: string; readonly url: string; readonly isButton?: true }
  | { readonly heading: string }
  | { readonly list: readonly string[] }

/** The sender of a mail. */
export interface MailSender {
  readonly name: string
  readonly telephone: string | null
  /** `#rrggbb`. */
  readonly couleur: string
}

/** The small print at the bottom, such as a hash. Its text may be long and without spaces. */
export interface SmallPrint {
  readonly label: string
  readonly text: string
}

/** @param logo content id of the picture above the text; null or undefined if there is none */
export function written(
  parts: readonly Part[],
  sender: MailSender,
  logo?: string | null,
  small?: SmallPrint,
): MailBody {
  const { name, telephone, couleur } = sender
  const end = `Cordialement,\n${name}`
  const endText = telephone === null ? end : `${end}\nTél.${nbsp}${telephone}`
  const text = [
    ...parts.map(asText),
    unbreakable(endText),
    ...(small ? [`-- \n${small.label}${nbsp}:\n${small.text}`] : []),
  ].join('\n\n')
  const picture =
    logo == null
      ? ''
      : `<p class="logo" style="${styles.logo}"><img src="cid:${logo}" alt="${escapedHtml(name)}" height="48" style="${styles.img}"></p>\n`
  const call =
    telephone === null
      ? ''
      : `<br>Tél.${nbsp}<a class="link" href="${telephoneUrl(telephone)}" style="${styles.link}">${escapedHtml(telephone)}</a>`
  const endHtml = `<p style="${styles.p}">${lines(end)}${call}</p>`
  const foot = small
    ? `<p class="small" style="${styles.small}">${escapedHtml(small.label)}${nbsp}:<br><span style="${styles.digest}">${escapedHtml(small.text)}</span></p>\n`
    : ''
  return {
    text: `${text}\n`,
    html: page(`${picture}${parts.map((part) => asHtml(part, couleur)).join('\n')}\n${endHtml}\n${foot}`, couleur),
  }
}

function asText(part: Part): string {
  if (typeof part === 'string') return unbreakable(part)
  if ('heading' in part) return `${part.heading.toUpperCase()}`
  if ('list' in part) return part.list.map((item, index) => `${index + 1}. ${unbreakable(item)}`).join('\n')
  return `${part.words}${nbsp}: ${part.url}`
}

function asHtml(part: Part, colour: string): string {
  if (typeof part === 'string') return `<p style="${styles.p}">${lines(part)}</p>`
  if ('heading' in part) return `<h2 class="heading" style="${styles.heading}">${escapedHtml(part.heading)}</h2>`
  if ('list' in part)
    return `<ol style="${styles.list}">\n${part.list.map((item) => `<li style="${styles.item}">${lines(item)}</li>`).join('\n')}\n</ol>`
  const link = (style: string, name: string) =>
    `<a class="${name}" href="${escapedHtml(part.url)}" style="${style}">${escapedHtml(part.words)}</a>`
  const button = `${styles.button};background:${colour};color:${inkOn(colour)}`
  return `<p style="${styles.p}">${part.isButton ? link(button, 'button') : link(styles.link, 'link')}</p>`
}

const lines = (text: string) => escapedHtml(unbreakable(text)).replaceAll('\n', '<br>')

/** Inline styles, since several mail programs remove style sheets. */
const styles = {
  logo: 'margin:0 0 20px',
  // A white background, since logos are made for paper.
  img: 'display:block;box-sizing:border-box;width:auto;height:auto;max-width:100%;max-height:60px;background:#fff;border:6px solid #fff;border-radius:6px',
  p: 'margin:0 0 14px',
  heading: 'margin:22px 0 6px;font-size:16px;line-height:1.3;color:#173f5f',
  list: 'margin:0 0 14px;padding-left:24px',
  item: 'margin:0 0 6px',
  link: 'color:#173f5f',
  button: 'display:inline-block;margin:6px 0;padding:12px 20px;border-radius:6px;font-weight:600;text-decoration:none',
  small: 'margin:22px 0 0;padding:12px 0 0;border-top:1px solid #cfd8e0;font-size:12px;line-height:1.5;color:#5b6775',
  digest: 'font-family:Consolas,Menlo,monospace;word-break:break-all;overflow-wrap:anywhere',
} as const

const dark = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
body,.page{background:#14181d!important;color:#e6ebf0!important}
.card{background:#1d242c!important;color:#e6ebf0!important}
.heading,.link{color:#8fc1e8!important}
.small{color:#a9b5c1!important;border-color:#3a4652!important}
}`

/** A page of one column, at most 560 pixels wide. It uses tables, the only layout that some mail programs support. */
const page = (main: string, colour: string) => `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<style>${dark}</style>
</head>
<body style="margin:0;padding:0;background:#f3f6f8">
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f6f8"><tr><td align="center" style="padding:16px 8px">
<table class="card" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;table-layout:fixed;background:#fff;color:#1d2733;border-top:4px solid ${colour};border-radius:8px"><tr><td style="padding:24px 20px;text-align:left;font:15px/1.5 'Segoe UI',Helvetica,Arial,sans-serif;overflow-wrap:anywhere">
${main}</td></tr></table>
</td></tr></table>
</body>
</html>
`
