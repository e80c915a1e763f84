import type { AddClientInput, FieldProblem } from '@sav/core'
import { addClientInput, e164, problemsIn, problemsOf } from '@sav/core/feature'
import type { ImportType } from './import-store.js'
import { fieldProblem } from './refusals.js'
import { clientRow, filledIn, type Row } from './rows.js'
import { newClient } from './write-directory.js'
import { writtenEmails } from './written.js'

/**
 * The unusable contact data of a row: further e-mail addresses, and a telephone number that cannot be dialled. The
 * client is imported nevertheless, since the number may have been damaged in the other system.
 */
export function unusableIn(row: Row<ImportType>, fields: Readonly<Record<string, unknown>>): readonly FieldProblem[] {
  if (!('email' in row)) return []
  const found: FieldProblem[] = []
  const [, ...others] = writtenEmails(String(fields['email'] ?? ''))
  if (others.length > 0)
    found.push(fieldProblem('email', 'import_email_several', { kept: row.email ?? '', found: others.join(', ') }))
  if ('telephone' in row && row.telephone !== null && e164(row.telephone) === null)
    found.push(fieldProblem('telephone', 'import_telephone_unusable', { found: row.telephone }))
  return found
}

/** A row of an import as a client to add, valid in any service. */
export interface ClientOfRow {
  readonly client: AddClientInput
  /** What is wrong with the row. */
  readonly problems: readonly FieldProblem[]
  /** What was left out of the client, such as a number that cannot be dialled. */
  readonly leftOut: readonly FieldProblem[]
}

/** The fields of a client in a row of an import. */
export function clientOfRow(row: Readonly<Record<string, unknown>>): ClientOfRow {
  const fields = filledIn(row)
  const { data, error } = clientRow().safeParse(fields, { reportInput: true })
  if (error !== undefined) return { client: { nom: '', prenom: '' }, problems: problemsIn(error), leftOut: [] }
  const { whatsapp_depuis, efface_le: _, ...read } = newClient(data, '')
  const client = { ...read, whatsapp: whatsapp_depuis !== null }
  const all = problemsOf(addClientInput, client)
  const undialled = all.filter(({ code }) => code === 'telephone_impossible')
  return {
    client: undialled.length === 0 ? client : { ...client, telephone: null },
    problems: all.filter(({ code }) => code !== 'telephone_impossible'),
    leftOut: [...undialled, ...unusableIn(data, fields).filter(({ field }) => field === 'email')],
  }
}
