import { usageError } from '@sav/command/feature'
import { compile, type FormatCallback, type HtmlToTextOptions } from 'html-to-text'

const tag =
  /<\/?(?:html|body|br|p|div|span|table|t[rdh]|[uo]l|li|strong|em|[biu]|font|a|img|h[1-6]|blockquote|pre|hr)(?:[\s/][^<>]*)?>/i
const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i

/**
 * The most tags in a text. An e-mail with everything that it quotes has some thousands. For some texts, the time grows
 * with the square of this number.
 */
const maxTags = 10_000

/**
 * Writes a cell of an HTML table as inline text. With html-to-text's own tables, `colspan` and `rowspan` could create
 * any number of cells.
 */
const tableCell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder)
  builder.addInline(' ')
}

const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: 100 },
  formatters: { tableCell },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'p', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...['table', 'tr'].map((selector) => ({
      ...{ selector, format: 'block' },
      options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
    })),
    ...['td', 'th'].map((selector) => ({ selector, format: 'tableCell' })),
    { selector: 'ul', options: { itemPrefix: '- ' } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
}

/** Compiled once, since compiling takes longer than converting a text. */
const fromTags = compile(options)
const fromEntities = compile({ ...options, preserveNewlines: true })

/**
 * The text of a cell that may be HTML, with its lines. A cell without tags and entities is unchanged.
 * @throws CommandError for one with more than 10,000 tags
 */
export function plainText(cell: string): string {
  if (tag.test(cell)) {
    refuseBeyondTags(cell)
    return fromTags(cell).trim()
  }
  if (!entity.test(cell)) return cell
  // What is not a tag is kept, such as an address in angle brackets.
  return fromEntities(cell.replaceAll('<', '&lt;')).trim()
}

function refuseBeyondTags(html: string): void {
  const tags = html.split('<').length - 1
  if (tags > maxTags) throw usageError(`a cell has HTML of more than ${maxTags} tags: shorten its text`)
}
