import type { Writable } from 'node:stream'
import { type InspectColor, styleText } from 'node:util'
import type { ProcessIO } from '../process/process-io.js'
import { unsafe } from './safe-text.js'

/** What an output stream can show. */
export interface Terminal {
  readonly isTerminal: boolean
  /** Characters per line; Infinity if lines do not wrap. */
  readonly columns: number
  /** Styles a text. It stays plain unless the stream is a terminal with colours and `NO_COLOR` is not set. */
  style(format: InspectColor, text: string): string
}

/** The process, and how the output of a command is shown. */
export interface Display extends ProcessIO {
  readonly json: boolean
  /** The terminal of standard output. */
  readonly terminal: Terminal
  /** The fields of `--fields`, by their names in JSON; null to show all fields. */
  readonly fields: readonly string[] | null
}

const usualColumns = 80

export function terminalOf(stream: Writable, env: ProcessIO['env']): Terminal {
  const isTerminal = 'isTTY' in stream && stream.isTTY === true
  const given = 'columns' in stream && typeof stream.columns === 'number' ? stream.columns : 0
  // Some terminals report no width, such as a serial line or a nested terminal.
  const columns = given > 0 ? given : usualColumns
  const coloured = isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  return {
    isTerminal,
    columns: isTerminal ? columns : Number.POSITIVE_INFINITY,
    style: (format, text) => (coloured ? styleText(format, text, { validateStream: false }) : text),
  }
}

/**
 * Makes text from other people safe for one line of a terminal. Characters that could rewrite the screen or reverse the
 * line are replaced; line breaks become spaces.
 */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(unsafe, '\u{fffd}')
}

/**
 * Makes a whole text safe for a terminal: sequences that could rewrite the screen are replaced, for example those in a
 * quoted name. Line breaks, spaces and, with `coloured`, our own colours stay.
 */
export function shownSafely(text: string, { coloured }: { readonly coloured: boolean }): string {
  const [first = '', ...rest] = text.split(escapeCharacter)
  const isColour = (piece: string) => coloured && /^\[[\d;]*m/.test(piece)
  return [first, ...rest.map((piece) => `${isColour(piece) ? '' : '\u{fffd}'}${piece}`)]
    .map((piece) => piece.replace(unsafe, (found) => (found === '\n' ? found : '\u{fffd}')))
    .map((piece, index) => (index > 0 && isColour(piece) ? `${escapeCharacter}${piece}` : piece))
    .join('')
}

const escapeCharacter = '\u001b'

/** Like `oneLine`, but keeps line breaks. */
export function manyLines(text: string): string {
  return text.split(/\r?\n/).map(oneLine).join('\n')
}

/** A count with its noun: `1 client`, `2 clients`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** A number of bytes in the units of disks: `1.2 GB`, `340 MB`. */
export function amountOfBytes(bytes: number): string {
  const [unit, size] = bytes >= 1e9 ? ['GB', 1e9] : bytes >= 1e6 ? ['MB', 1e6] : ['kB', 1e3]
  const amount = bytes / size
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${unit}`
}

/** The lines of a webhook's content as indented JSON. No text in it can begin a line or move the cursor. */
export const payloadLines = (data: unknown): string[] =>
  JSON.stringify(data, null, 2)
    .split('\n')
    .map((line) => `  ${/^ */.exec(line)}${oneLine(line.trimStart())}`)
