import PDFDocument from 'pdfkit'
import type { FontName, Fonts } from './fonts.js'
import { unbreakable } from './french.js'
import type { Picture } from './photos.js'

/** The largest size that fits into `box` in the picture's own proportions. */
export function within(picture: Size, box: Size): Size {
  const scale = Math.min(box.width / picture.width, box.height / picture.height)
  return { width: picture.width * scale, height: picture.height * scale }
}

interface Size {
  readonly width: number
  readonly height: number
}

/** A4 in points, and the margins around the text. */
const page = { width: 595.28, height: 841.89 } as const
const margins = { left: 50, right: 50, top: 36, bottom: 46 } as const

export const ink = {
  text: '#1d2733',
  quiet: '#5b6775',
  accent: '#173f5f',
  rule: '#cfd8e0',
  panel: '#f3f6f8',
  warning: '#8a4b08',
} as const

export interface TextStyle {
  readonly font: FontName
  readonly size: number
  readonly color: string
  readonly lineGap?: number
  /** The space after the text, in points. */
  readonly gap?: number
}

export const styles = {
  title: { font: 'bold', size: 17, color: ink.accent, lineGap: -1, gap: 4 },
  heading: { font: 'bold', size: 11.5, color: ink.accent, gap: 4 },
  company: { font: 'bold', size: 12.5, color: ink.text, gap: 1 },
  label: { font: 'semibold', size: 8.5, color: ink.quiet, gap: 1 },
  strong: { font: 'semibold', size: 10, color: ink.text, lineGap: 1, gap: 2 },
  body: { font: 'regular', size: 10, color: ink.text, lineGap: 1.5, gap: 4 },
  small: { font: 'regular', size: 8.5, color: ink.quiet, lineGap: 0.5, gap: 1 },
  digest: { font: 'regular', size: 8.5, color: ink.text, gap: 2 },
  link: { font: 'semibold', size: 8.5, color: ink.accent },
  fine: { font: 'regular', size: 7, color: ink.quiet, gap: 1 },
} as const satisfies Record<string, TextStyle>

/** Declares that the document also conforms to PDF/UA-1, in the form that PDF/A allows (ISO 19005-3 §6.6.2.3). */
const accessible = `
  <rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
    <pdfuaid:part>1</pdfuaid:part>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
      xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
    <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
      <pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
      <pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
      <pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>
      <pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
        <pdfaProperty:category>internal</pdfaProperty:category>
        <pdfaProperty:description>Part of ISO 14289</pdfaProperty:description>
        <pdfaProperty:name>part</pdfaProperty:name>
        <pdfaProperty:valueType>Integer</pdfaProperty:valueType>
      </rdf:li></rdf:Seq></pdfaSchema:property>
    </rdf:li></rdf:Bag></pdfaExtension:schemas>
  </rdf:Description>`

/** The position of a text: by default on the current line, with the full width. */
export interface TextPosition {
  readonly x?: number
  readonly y?: number
  readonly width?: number
  readonly align?: 'left' | 'center' | 'right'
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * The pages of a report, filled from top to bottom. Everything on them is either tagged content, which a screen reader
 * reads in order, or decoration, which it skips.
 */
export class Sheet {
  readonly left = margins.left
  readonly width = page.width - margins.left - margins.right
  /** Whether a character that the fonts cannot draw was replaced. */
  replaced = false
  readonly #doc: PDFKit.PDFDocument
  readonly #fonts: Fonts
  #parent: PDFKit.PDFStructureElement

  constructor(fonts: Fonts, { title, date }: { readonly title: string; readonly date: Date }) {
    this.#fonts = fonts
    this.#doc = new PDFDocument({
      size: [page.width, page.height],
      margins,
      bufferPages: true,
      pdfVersion: '1.7',
      subset: 'PDF/A-3a',
      tagged: true,
      lang: 'fr-FR',
      displayTitle: true,
      // The file's id is computed from these, so that the same content gives the same bytes.
      info: { Title: title, CreationDate: date, ModDate: date },
      // Standard fonts are not embedded, so none is set: neither for a first page nor as a default.
      autoFirstPage: false,
      font: '',
    })
    for (const [name, bytes] of fonts.files) this.#doc.registerFont(name, bytes)
    this.#doc.appendXML(accessible)
    this.#doc.font('regular').addPage()
    this.#parent = this.#doc.struct('Document')
    this.#doc.addStructure(this.#parent)
  }

  get y(): number {
    return this.#doc.y
  }

  set y(y: number) {
    this.#doc.y = y
  }

  get bottom(): number {
    return page.height - margins.bottom
  }

  /** The height of a whole page. */
  get height(): number {
    return this.bottom - margins.top
  }

  /** Starts a new page unless `height` still fits on this one. */
  keep(height: number): void {
    if (this.y + height > this.bottom) this.#doc.addPage()
  }

  /** Puts what `draw` writes into one element of the document's structure: `Sect`, `L`, `LI`, … */
  group(tag: string, draw: () => void): void {
    const outer = this.#parent
    const inner = this.#doc.struct(tag)
    outer.add(inner)
    this.#parent = inner
    draw()
    inner.end()
    this.#parent = outer
  }

  /** Prints `text` and moves below it. */
  say(tag: string, text: string, style: TextStyle, place: TextPosition = {}): void {
    const printed = this.#printable(text)
    if (printed.trim() === '') return
    const { x = this.left, y = this.y, width = this.left + this.width - x, align = 'left' } = place
    this.#use(style)
    this.#tagged(tag, {}, () => this.#doc.text(printed, x, y, { width, align, lineGap: style.lineGap ?? 0 }))
    this.y += style.gap ?? 0
  }

  /** The width of `text` in one line. */
  widthOf(text: string, style: TextStyle): number {
    this.#use(style)
    return this.#doc.widthOfString(this.#printable(text))
  }

  /** The height of `text`, including its gap. */
  heightOf(text: string, style: TextStyle, width: number = this.width): number {
    this.#use(style)
    const options = { width, lineGap: style.lineGap ?? 0 }
    return this.#doc.heightOfString(this.#printable(text), options) + (style.gap ?? 0)
  }

  /** Draws a picture in its own proportions, as large as fits into `box`, left-aligned and vertically centred. */
  picture(picture: Picture, alt: string, box: Box): void {
    const { y } = this
    const { width, height } = within(picture, box)
    const { x } = box
    const top = box.y + (box.height - height) / 2
    this.#tagged('Figure', { alt: this.#printable(alt), bbox: [x, top, x + width, top + height] }, () =>
      this.#doc.image(picture.bytes, x, top, { width, height }),
    )
    this.y = y
  }

  /** Makes what `draw` writes, and the whole `box`, a link to `url`. @param words the description of the link */
  leadTo(url: string, words: string, box: Box, draw: () => void): void {
    this.group('Link', () => {
      draw()
      // pdfkit writes a String object as text, but a plain string as a PDF name.
      const options: object = { structParent: this.#parent, Contents: new String(this.#printable(words)) }
      this.#doc.link(box.x, box.y, box.width, box.height, url, options)
    })
  }

  /** Prints `text` on a separate line that links to `url`. */
  sayLink(text: string, url: string, style: TextStyle, place: TextPosition = {}): void {
    const { x = this.left, y = this.y, width = this.left + this.width - x } = place
    const height = this.heightOf(text, style, width) - (style.gap ?? 0)
    const box = { x, y, width: Math.min(width, this.widthOf(text, style)), height }
    this.group('P', () => this.leadTo(url, text, box, () => this.say('Span', text, style, { x, y, width })))
  }

  /** Draws the modules of a QR code in black on white, `box.width` wide with its quiet zone. */
  modules(dark: readonly (readonly boolean[])[], alt: string, box: Box): void {
    const { x, y, width, height } = box
    const quiet = 4
    const size = width / (dark.length + 2 * quiet)
    this.#tagged('Figure', { alt, bbox: [x, y, x + width, y + height] }, () => {
      this.#doc.rect(x, y, width, height).fill('#fff')
      dark.forEach((row, line) => {
        for (let from = 0; from < row.length; from++) {
          if (!row[from]) continue
          const start = from
          while (row[from + 1]) from++
          this.#doc.rect(x + (quiet + start) * size, y + (quiet + line) * size, (from + 1 - start) * size, size)
        }
      })
      this.#doc.fill('#000')
    })
  }

  /** Draws a box behind or around what is printed next. */
  panel(
    { x, y, width, height }: Box,
    { fill, stroke, radius = 4 }: { readonly fill?: string; readonly stroke?: string; readonly radius?: number },
  ): void {
    this.#decorate(() => {
      const box = this.#doc.lineWidth(0.75).roundedRect(x, y, width, height, radius)
      if (fill !== undefined && stroke !== undefined) box.fillAndStroke(fill, stroke)
      else if (fill !== undefined) box.fill(fill)
      else if (stroke !== undefined) box.stroke(stroke)
    })
  }

  /** Draws a horizontal line. */
  rule({
    x,
    y,
    width,
    color,
    weight,
  }: Omit<Box, 'height'> & { readonly color: string; readonly weight: number }): void {
    this.#decorate(() =>
      this.#doc
        .lineWidth(weight)
        .moveTo(x, y)
        .lineTo(x + width, y)
        .stroke(color),
    )
  }

  /** Prints `running` and the page number at the foot of each page, and ends the document. */
  async end(running: string): Promise<Buffer> {
    const { count } = this.#doc.bufferedPageRange()
    const text = this.#printable(running)
    const y = page.height - 31
    for (let index = 0; index < count; index++) {
      this.#doc.switchToPage(index)
      this.#doc.markContent('Artifact', { type: 'Pagination' })
      this.#doc
        .lineWidth(0.5)
        .moveTo(this.left, y - 8)
        .lineTo(this.left + this.width, y - 8)
        .stroke(ink.rule)
      this.#use(styles.small)
      const number = `Page ${index + 1}/${count}`
      this.#doc.text(text, this.left, y, { lineBreak: false })
      this.#doc.text(number, this.left + this.width - this.#doc.widthOfString(number), y, { lineBreak: false })
      this.#doc.endMarkedContent()
    }
    this.#parent.end()
    this.#doc.end()
    return Buffer.concat(await this.#doc.toArray())
  }

  #use({ font, size, color }: TextStyle): void {
    this.#doc.font(font).fontSize(size).fillColor(color)
  }

  #printable(text: string): string {
    const { text: printed, replaced } = this.#fonts.printable(unbreakable(text))
    this.replaced ||= replaced
    return printed
  }

  #tagged(tag: string, options: object, draw: () => unknown): void {
    this.#parent.add(this.#doc.struct(tag, options, [draw]))
  }

  #decorate(draw: () => unknown): void {
    this.#doc.markContent('Artifact', { type: 'Layout' })
    draw()
    this.#doc.endMarkedContent()
  }
}
