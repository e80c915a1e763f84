import type { AddClientInput } from '@sav/core'
import { inputs, problemsOf, reason, writtenEmails, writtenTelephone } from '@sav/core/internal'
import { usageError } from '../process/command-error.js'
import { type CsvRecord, csvRecords, delimiterOf } from './csv-records.js'

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
  /** What of the line is not in `input`, and why: a number that cannot be dialled, a second address. */
  readonly leftOut: readonly string[]
}

export interface ClientsCsv {
  readonly headings: readonly string[]
  readonly delimiter: string
  /** As they are read: one pass. @throws CommandError where the file goes on as no such table */
  readonly lines: AsyncIterable<ClientLine>
}

/**
 * @param name of the file, for what is wrong with it
 * @param texts whole lines of it
 * @throws CommandError where it is not a table, or its first line does not name the columns
 */
export async function readClientsCsv(name: string, texts: AsyncGenerator<string, undefined>): Promise<ClientsCsv> {
  const { value: beginning = '' } = await texts.next()
  const delimiter = delimiterOf(beginning)
  const records = csvRecords({ name, delimiter }, whole(beginning, texts))
  try {
    const { value: first } = await records.next()
    const headings = first?.record ?? []
    const found = columnsOf(name, headings)
    return { headings, delimiter, lines: linesOf(records, found) }
  } catch (error) {
    // The rest is not read.
    await records.return(undefined)
    throw error
  }
}

async function* linesOf(records: AsyncIterable<CsvRecord>, found: readonly Column[]): AsyncGenerator<ClientLine> {
  for await (const { line, record } of records) yield readLine(line, record, found)
}

/** With what was read of it already. */
async function* whole(beginning: string, texts: AsyncIterable<string>): AsyncGenerator<string> {
  yield beginning
  yield* texts
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
  const wrong = [
    ...(['nom', 'prenom'] as const).filter((column) => !known.includes(column)).map((column) => `${column} is missing`),
    ...headings.filter((_, at) => !isColumn(found[at])).map((heading) => `${shortened(heading)} is unknown`),
    ...new Set(known.filter((column, at) => known.indexOf(column) < at).map((column) => `${column} is there twice`)),
  ]
  if (wrong.length > 0)
    throw usageError(
      `${name}: the first line must name the columns, of ${names.join(', ')}. ${wrong.slice(0, mostSaid).join(', ')}.`,
    )
  return known
}

/** Of what is wrong with a first line: it may be of no table at all. */
const mostSaid = 5

const shortened = (heading: string) => JSON.stringify(heading.length <= 40 ? heading : `${heading.slice(0, 40)}…`)

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
  const [email, ...otherEmails] = writtenEmails(cell('email') ?? '')
  const input = {
    nom: cell('nom') ?? '',
    prenom: cell('prenom') ?? '',
    email: email || undefined,
    telephone: writtenTelephone(cell('telephone') ?? '') || undefined,
    adresse: cell('adresse'),
    ...((code_postal ?? ville) !== undefined && { lieu: { code_postal, ville } }),
    whatsapp,
  }
  if (cells.length > found.length)
    return { line, cells, input, problems: ['more cells than the first line has columns'], leftOut: [] }
  const all = problemsOf(inputs.addClient, input)
  const saidOf = (found: typeof all) => found.map(({ field, message }) => `${field} ${message}`)
  // A client is worth keeping, whatever became of the number.
  const withoutTelephone = saidOf(all.filter(({ code }) => code === 'telephone_impossible'))
  const problems = saidOf(all.filter(({ code }) => code !== 'telephone_impossible'))
  if (whatsapp === undefined) problems.push(`whatsapp must be oui or non (found ${cell('whatsapp')})`)
  const kept = withoutTelephone.length === 0 ? input : { ...input, telephone: undefined }
  const several = reason('import_email_several', { kept: email, found: otherEmails.join(', ') }).message
  const leftOut = [...withoutTelephone, ...(otherEmails.length === 0 ? [] : [`email ${several}`])]
  return { line, cells, input: kept, problems, leftOut }
}
