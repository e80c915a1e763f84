import { pipeline } from 'node:stream/promises'
import type { SavClient } from '@sav/http-node/client'
import type { CaseOnTheWire } from '@sav/http-node/links'
import { stringify } from 'csv-stringify'
import type { Context } from '../invocation/context.js'
import { jsonText } from '../terminal/safe-text.js'
import { shownSafely } from '../terminal/terminal.js'

export interface ExportOptions {
  readonly format: 'csv' | 'ndjson'
  /** Writes CSV for a French Excel, with semicolons, and with a byte order mark before the UTF-8 text. */
  readonly excel?: boolean
}

/** Writes the cases of the account as they are read, so that memory holds one page at a time. */
export async function exportCases(context: Context, { format, excel = false }: ExportOptions): Promise<undefined> {
  const cases = everyCase(await context.api())
  if (context.json || format === 'ndjson') {
    await pipeline(cases, context.json ? toArray : toLines, context.stdout, { end: false })
    return
  }
  // `escape_formulas`, because a spreadsheet would run a description that begins with = as a formula.
  const forExcel = excel ? { bom: true, delimiter: ';' } : {}
  const csv = stringify({ header: true, columns: Object.keys(columns), escape_formulas: true, ...forExcel })
  const { isTerminal } = context.terminal
  await pipeline(cases, (found) => toRows(found, { isTerminal }), csv, context.stdout, { end: false })
}

async function* everyCase(api: SavClient): AsyncGenerator<CaseOnTheWire> {
  for await (const { id } of api.each('/api/v1/sav', { query: { limite: 200 } }))
    yield (await api.get('/api/v1/sav/{id}', { params: { id } })).data
}

async function* toLines(cases: AsyncIterable<CaseOnTheWire>): AsyncGenerator<string> {
  for await (const found of cases) yield `${jsonText(found)}\n`
}

async function* toArray(cases: AsyncIterable<CaseOnTheWire>): AsyncGenerator<string> {
  let before = '['
  for await (const found of cases) {
    yield `${before}${jsonText(found)}`
    before = ',\n'
  }
  yield before === '[' ? '[]\n' : ']\n'
}

type Cell = string | number | null | undefined

/** The cells of each case. A terminal gets texts without control characters; a file gets them as they were typed. */
async function* toRows(cases: AsyncIterable<CaseOnTheWire>, { isTerminal }: { readonly isTerminal: boolean }) {
  const shown = (cell: Cell) => (isTerminal && typeof cell === 'string' ? shownSafely(cell, { coloured: false }) : cell)
  for await (const found of cases) yield Object.values(columns).map((cellOf) => shown(cellOf(found)))
}

const columns: Readonly<Record<string, (found: CaseOnTheWire) => Cell>> = {
  id: ({ id }) => id,
  reference: ({ reference }) => reference,
  statut: ({ statut }) => statut,
  priorite: ({ priorite }) => priorite,
  type_probleme: ({ type_probleme }) => type_probleme,
  date_creation: ({ date_creation }) => date_creation,
  date_modification: ({ date_modification }) => date_modification,
  date_cloture: ({ date_cloture }) => date_cloture,
  client_id: ({ client }) => client.id,
  client_nom: ({ client }) => client.nom,
  client_prenom: ({ client }) => client.prenom,
  poseur_id: ({ poseur_assigne }) => poseur_assigne?.id,
  poseur_nom: ({ poseur_assigne }) => poseur_assigne?.nom,
  description: ({ description }) => description,
  notes_internes: ({ notes_internes }) => notes_internes,
  resolution: ({ resolution }) => resolution,
  signataire_nom: ({ signataire_nom }) => signataire_nom,
  reserves: ({ reserves }) => reserves.join('\n'),
  hash_sha256: ({ statut, preuve }) => (statut === 'clos' ? preuve.at(-1)?.hash_sha256 : null),
}
