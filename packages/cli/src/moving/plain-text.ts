import { compile, type HtmlToTextOptions } from 'html-to-text'

const tag =
  /<\/?(?:html|body|br|p|div|span|table|t[rdh]|[uo]l|li|strong|em|[biu]|font|a|img|h[1-6]|blockquote|pre|hr)(?:[\s/][^<>]*)?>/i
const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i

const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: 100 },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'p', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    { selector: 'ul', options: { itemPrefix: '- ' } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
}

/** Compiled once: that takes longer than a text. */
const fromTags = compile(options)
const fromEntities = compile({ ...options, preserveNewlines: true })

/** The text of a cell that may be HTML, with its lines. A cell without tags and entities stays as it is. */
export function plainText(cell: string): string {
  if (tag.test(cell)) return fromTags(cell).trim()
  if (!entity.test(cell)) return cell
  // What is no tag stays, such as an address in angle brackets.
  return fromEntities(cell.replaceAll('<', '&lt;')).trim()
}
