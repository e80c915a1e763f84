import { type AddClientInput, addClientInput } from '@sav/core'
import { CsvError, parse } from 'csv-parse/sync'
import { usageError } from '../invocation/command-error.js'

/** What each column may be called; spaces, accents, hyphens and capitals make no difference. */
const columns = {
  nom: ['nom', 'nomdefamille', 'lastname', 'name'],
  prenom: ['prenom', 'firstname'],
  email: ['email', 'mail', 'courriel', 'adresseemail', 'adressemail'],
  telephone: ['telephone', 'tel', 'portable', 'mobile', 'phone'],
  adresse: ['adresse', 'address'],
  code_postal: ['codepostal', 'cp', 'postalcode'],
  ville: ['ville', 'commune', 'city'],
  whatsapp: ['whatsapp'],
} as const

type Column = keyof typeof columns
const names: readonly string[] = Object.keys(columns)

/** A line of the file: a client, or what is wrong with it. */
export interface ClientLine {
  /** Counted from 1. */
  readonly line: number
  readonly cells: readonly string[]
  readonly input: AddClientInput
  readonly problems: readonly string[]
}

export interface ClientsCsv {
  readonly headings: readonly string[]
  readonly delimiter: ',' | ';'
  readonly lines: readonly ClientLine[]
}

/**
 * UTF-8, or what Excel writes in France: Windows-1252; separated by commas or semicolons.
 * @param name of the file, for what is wrong with it
 * @throws CommandError where it is no such table, or its first line does not name the columns
 */
export function readClientsCsv(name: string, bytes: Uint8Array): ClientsCsv {
  const text = decoded(bytes)
  const [heading = ''] = text.split('\n', 1)
  const delimiter = heading.includes(';') ? ';' : ','
  const [first, ...rest] = recordsOf(name, text, delimiter)
  const headings = first?.record ?? []
  const found = columnsOf(name, headings)
  return { headings, delimiter, lines: rest.map(({ line, record }) => readLine(line, record, found)) }
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function recordsOf(name: string, text: string, delimiter: string) {
  const read: { line: number; record: string[] }[] = []
  try {
    parse(text, {
      delimiter,
      skip_empty_lines: true,
      trim: true,
      relax_column_count: true,
      on_record: (record: string[], { lines }) => {
        read.push({ line: lines, record })
        return null
      },
    })
  } catch (error) {
    if (error instanceof CsvError) throw usageError(`${name}: ${error.message}`)
    throw error
  }
  return read
}

/** @throws CommandError for a heading that is unknown or there twice, and without names */
function columnsOf(name: string, headings: readonly string[]): readonly Column[] {
  const bare = headings.map((heading) =>
    heading
      .normalize('NFD')
      .replace(/[\p{M}\s_-]/gu, '')
      .toLowerCase(),
  )
  const isColumn = (text: string | undefined): text is Column => text !== undefined && names.includes(text)
  const found = bare.map(
    (word) => Object.entries<readonly string[]>(columns).find(([, words]) => words.includes(word))?.[0],
  )
  const known = found.filter(isColumn)
  const isWhole = known.length === headings.length && new Set(known).size === known.length
  if (!isWhole || !known.includes('nom') || !known.includes('prenom')) {
    const said = headings.map((heading) => JSON.stringify(heading.toLowerCase())).join(', ') || 'nothing'
    throw usageError(`${name}: the first line must name the columns, ${names.join(', ')}; found ${said}.`)
  }
  return known
}

const yesOrNo: Readonly<Record<string, boolean>> = {
  '': false,
  '0': false,
  non: false,
  no: false,
  false: false,
  faux: false,
  '1': true,
  oui: true,
  yes: true,
  true: true,
  vrai: true,
}

function readLine(line: number, cells: readonly string[], found: readonly Column[]): ClientLine {
  const cell = (column: Column) => cells[found.indexOf(column)] || undefined
  const [code_postal, ville] = [cell('code_postal'), cell('ville')]
  const whatsapp = yesOrNo[cell('whatsapp')?.toLowerCase() ?? '']
  const input = {
    nom: cell('nom') ?? '',
    prenom: cell('prenom') ?? '',
    email: cell('email'),
    telephone: cell('telephone'),
    adresse: cell('adresse'),
    ...((code_postal ?? ville) !== undefined && { lieu: { code_postal, ville } }),
    whatsapp,
  }
  if (cells.length > found.length)
    return { line, cells, input, problems: ['more cells than the first line has columns'] }
  const issues = addClientInput.safeParse(input).error?.issues ?? []
  const problems = issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  if (whatsapp === undefined) problems.push(`whatsapp must be oui or non (found ${cell('whatsapp')})`)
  return { line, cells, input, problems }
}
