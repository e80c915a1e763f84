import { PDFiumLibrary } from '@hyzyla/pdfium'

export interface PdfPage {
  readonly text: string
}

export interface PaintedPage extends PdfPage {
  readonly width: number
  readonly height: number
  /** RGBA, row by row. */
  readonly pixels: Uint8Array
}

const library = await PDFiumLibrary.init()

/** The text of each page. */
export async function pdfPages(pdf: Uint8Array): Promise<PdfPage[]> {
  const document = await library.loadDocument(pdf)
  const pages = [...document.pages()].map((page) => ({ text: page.getText() }))
  document.destroy()
  return pages
}

/** Renders the pages, at `scale` pixels a point. */
export async function paintedPages(pdf: Uint8Array, scale = 1): Promise<PaintedPage[]> {
  const document = await library.loadDocument(pdf)
  const pages: PaintedPage[] = []
  for (const page of document.pages()) {
    const text = page.getText()
    const { width, height, data } = await page.render({ scale, render: 'bitmap' })
    pages.push({ text, width, height, pixels: Uint8Array.from(data) })
  }
  document.destroy()
  return pages
}

/** All words, separated by ordinary spaces. */
export const wordsOf = (pages: readonly PdfPage[]): string =>
  pages
    .map(({ text }) => text)
    .join(' ')
    .replace(/\s+/g, ' ')
