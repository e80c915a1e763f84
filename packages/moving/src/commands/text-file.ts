import { isUtf8 } from 'node:buffer'
import { type SingleByteEncoding, usageError } from '@sav/command/feature'
import { decodeBytes, LetterCounts } from './letters.js'
import { wholeLines } from './whole-lines.js'

export type Encoding = SingleByteEncoding | 'utf-8' | 'utf-16le' | 'utf-16be'

/** A text in any encoding, which is read in blocks. */
export interface TextFile {
  readonly encoding: Encoding
  /**
   * Blocks of whole lines, each time from the beginning. @throws CommandError for a line of more than 1 MB, or bytes
   * that are not text
   */
  lines(): AsyncGenerator<string, undefined>
}

export interface TextSource {
  /** The name of the text in error messages. */
  readonly name: string
  /** Opens the text from its beginning, each time. */
  open(): AsyncIterable<Uint8Array>
  /** The encoding if it is neither UTF-8 nor UTF-16. Absent: guessed from its letters. */
  readonly encoding?: SingleByteEncoding | undefined
}

/**
 * Detects the encoding of a text from all of its bytes.
 * @throws CommandError for a file that is not text, or whose encoding is ambiguous
 */
export async function openText(source: TextSource): Promise<TextFile> {
  const encoding = await encodingOf(source)
  return { encoding, lines: () => decoded(source, encoding) }
}

const names: Readonly<Record<SingleByteEncoding, string>> = {
  'windows-1252': 'Windows-1252',
  'iso-8859-15': 'ISO-8859-15',
  cp850: 'cp850, that is MS-DOS',
  macintosh: 'Macintosh',
}

/** Other formats in which spreadsheets are saved or exported, by their first bytes. */
const otherFormats: readonly (readonly [bytes: string, what: string])[] = [
  ['PK\x03\x04', 'a workbook, such as .xlsx or .ods, or another archive'],
  ['\xd0\xcf\x11\xe0', 'a workbook of Excel (.xls)'],
  ['<', 'HTML or XML'],
]

async function encodingOf(source: TextSource): Promise<Encoding> {
  const { name, open } = source
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const counts = new LetterCounts()
  let [isFirst, isUnicode] = [true, true]
  for await (const chunk of open()) {
    if (isFirst) {
      const utf16 = utf16Of(chunk)
      if (utf16 !== null) return utf16
      refuseOther(name, chunk)
      isFirst = false
    }
    // A file with a zero byte is not text. It may be the file of a database.
    if (chunk.includes(0)) throw usageError(noText(name))
    isUnicode &&= decodes(utf8, chunk)
    counts.add(chunk)
  }
  if (isUnicode && decodes(utf8)) return 'utf-8'
  if (source.encoding !== undefined) return source.encoding
  const likely = counts.likely()
  const [only] = likely
  if (only === undefined || likely.length > 1) throw usageError(await undecided(source, likely))
  return only
}

const noText = (name: string) => `${name}: it is not a CSV file: it contains bytes that are not text.`

/**
 * The UTF-16 encoding of a text, by its byte order mark or by the zeros in its first characters; null if it has
 * neither.
 */
function utf16Of([first, second, third, fourth]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first && second === 0 && third && fourth === 0) return 'utf-16le'
  return first === 0 && second && third === 0 && fourth ? 'utf-16be' : null
}

function refuseOther(name: string, chunk: Uint8Array): void {
  const beginning = Buffer.from(chunk.subarray(0, 8)).toString('latin1')
  const [, what] = otherFormats.find(([bytes]) => beginning.startsWith(bytes)) ?? []
  if (what === undefined) return
  throw usageError(
    `${name}: it is ${what}. Open it in the spreadsheet, and save each sheet as CSV: File > Save As > “CSV UTF-8 (comma delimited)” in Excel, “Text CSV” in LibreOffice.`,
  )
}

/** @param chunk absent: the text ends */
function decodes(decoder: TextDecoder, chunk?: Uint8Array): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined })
    return true
  } catch {
    return false
  }
}

/** The error message about the first line that is not UTF-8. It shows one of its words in each possible encoding. */
async function undecided({ name, open }: TextSource, likely: readonly SingleByteEncoding[]): Promise<string> {
  let number = 0
  for await (const block of wholeLines(name, withLineFeeds(open())))
    for (const line of linesIn(block)) {
      number += 1
      if (isUtf8(line)) continue
      if (likely.length === 0)
        return `${name}: line ${number} is neither UTF-8 nor French in Windows-1252, ISO-8859-15, cp850 (MS-DOS) or Macintosh. Save it as “CSV UTF-8”, or set --encoding.`
      const readings = likely.map((encoding) => `${encoding} (${JSON.stringify(wordOf(decodeBytes(line, encoding)))})`)
      return `${name}: line ${number} may be ${readings.join(' or ')}. Set --encoding to the right one.`
    }
  return noText(name)
}

function linesIn(block: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let from = 0; from < block.length; ) {
    const end = block.indexOf(0x0a, from)
    lines.push(block.subarray(from, end === -1 ? block.length : end))
    from = end === -1 ? block.length : end + 1
  }
  return lines
}

/** The first word with a letter beyond ASCII; of a long word, the part near that letter. */
function wordOf(line: string): string {
  const at = line.search(/[^\0-\x7f]/)
  const before = line.slice(Math.max(0, at - 20), at).split(/[\s;,|"]/)
  const [after = ''] = line.slice(at, at + 20).split(/[\s;,|"]/)
  return `${before.at(-1) ?? ''}${after}`
}

async function* decoded({ name, open }: TextSource, encoding: Encoding): AsyncGenerator<string, undefined> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  for await (const block of wholeLines(name, withLineFeeds(transcoded(name, open(), encoding)))) {
    if (block.includes(0)) throw usageError(noText(name))
    yield utf8.decode(block)
  }
}

/** Converts the chunks of a text to UTF-8. */
async function* transcoded(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array> {
  if (encoding === 'utf-8') yield* chunks
  else if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    const decoder = new TextDecoder(encoding, { fatal: true })
    try {
      for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }))
      decoder.decode()
    } catch (error) {
      if (error instanceof TypeError)
        throw usageError(`${name}: it begins as UTF-16, but is invalid further on. Save it as CSV UTF-8.`)
      throw error
    }
  } else for await (const chunk of chunks) yield Buffer.from(decodeBytes(chunk, encoding))
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d]

/** Excel's `CSV (Macintosh)` ends each line with only a carriage return, as its first line shows. */
async function* withLineFeeds(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let returnsEnd: boolean | null = null
  for await (const chunk of chunks) {
    returnsEnd ??= endsByReturn(chunk)
    yield returnsEnd ? chunk.map((byte) => (byte === carriageReturn ? lineFeed : byte)) : chunk
  }
}

/** Whether its first line ends with only a carriage return; null: it contains no end of a line. */
function endsByReturn(chunk: Uint8Array): boolean | null {
  const end = chunk.findIndex((byte) => byte === lineFeed || byte === carriageReturn)
  if (end === -1 || end === chunk.length - 1) return null
  return chunk[end] === carriageReturn && chunk[end + 1] !== lineFeed
}

/** How a text was read, if that is not what spreadsheets usually write; empty otherwise. */
export const readAs = ({ encoding }: TextFile): readonly string[] =>
  encoding === 'cp850' || encoding === 'macintosh' || encoding === 'iso-8859-15' ? [`Read as ${names[encoding]}.`] : []
