import type { FieldProblem } from '@sav/core'
import type { Client, SavCase, Transaction } from '@sav/core/ports'
import { type ImportType, importStore } from './import-store.js'
import { keyOfExternal } from './keys.js'
import { fieldProblem } from './refusals.js'

/** The existing records that rows name, or that earlier rows created. */
export interface References {
  /** The existing client of each row, by the index of the row. */
  readonly client: ReadonlyMap<number, Client>
  readonly dossier: ReadonlyMap<number, SavCase>
  readonly refused: ReadonlyMap<number, readonly FieldProblem[]>
}

/** The fields in which a row of a case or a visit names other records. */
interface ReferenceFields {
  readonly client_id?: number | null
  readonly client_id_externe?: string | null
  readonly client_email?: string | null
  readonly reference_origine?: string | null
}

interface ReferenceQuery {
  readonly type: ImportType
  readonly rows: readonly { readonly place: number; readonly row: object }[]
}

export async function findReferences(
  tx: Transaction,
  account_id: string,
  { type, rows }: ReferenceQuery,
): Promise<References> {
  const client = new Map<number, Client>()
  const dossier = new Map<number, SavCase>()
  const refused = new Map<number, readonly FieldProblem[]>()
  if (type !== 'cases' && type !== 'visits') return { client, dossier, refused }
  const named = rows.map(({ place, row }) => ({ place, naming: row as ReferenceFields }))
  const keys = named.flatMap(({ naming }) =>
    naming.client_id_externe == null ? [] : [keyOfExternal('clients', naming.client_id_externe)],
  )
  const known = new Map((await tx.of(importStore).known(account_id, 'clients', keys)).map(({ cle, id }) => [cle, id]))
  const ids = named.flatMap(({ naming }) => naming.client_id ?? [])
  const clients = new Map<number, Client | null>(
    (await tx.of(importStore).findClients(account_id, [...known.values(), ...ids])).map((found) => [found.id, found]),
  )
  const clientOf = async (id: number) => {
    const found = clients.get(id)
    if (found !== undefined) return found
    const client = await tx.directory.findClient(account_id, id)
    clients.set(id, client)
    return client
  }
  const byEmail = async (email: string) => {
    const found = await Promise.all((await tx.of(importStore).clientsOfEmail(account_id, email)).map(clientOf))
    return found.filter((each) => each !== null)
  }

  /** The fault of a row; null if everything that it names exists. */
  async function look(place: number, naming: ReferenceFields): Promise<FieldProblem | null> {
    const { client_id = null, client_id_externe = null, client_email = null, reference_origine = null } = naming
    if (type === 'visits' && reference_origine !== null) {
      const id = await tx.of(importStore).caseOfOrigin(account_id, reference_origine)
      const found = id === null ? null : await tx.cases.find(account_id, id)
      if (found !== null) {
        const of = await clientOf(found.client.id)
        if (of === null || of.efface_le !== null) return fieldProblem('reference_origine', 'import_erased')
        dossier.set(place, found)
        client.set(place, of)
        return null
      }
      if (client_id === null && client_id_externe === null && client_email === null)
        return fieldProblem('reference_origine', 'import_reference_unknown', { value: reference_origine })
    }
    const unknown = (field: string, value: string | number) =>
      fieldProblem(field, 'import_reference_unknown', { value: String(value) })
    let id: number | null
    let problem: FieldProblem
    if (client_id !== null) [id, problem] = [client_id, unknown('client_id', client_id)]
    else if (client_id_externe !== null) {
      const cle = keyOfExternal('clients', client_id_externe)
      ;[id, problem] = [known.get(cle) ?? null, unknown('client_id_externe', client_id_externe)]
    } else if (client_email !== null) {
      const named = await byEmail(client_email)
      if (named.length > 1) return ambiguous(client_email, named)
      ;[id, problem] = [named[0]?.id ?? null, unknown('client_email', client_email)]
    } else return fieldProblem('client_id', 'import_client_required')
    const found = id === null ? null : await clientOf(id)
    if (found === null) return problem
    if (found.efface_le !== null) return fieldProblem(problem.field, 'import_erased')
    client.set(place, found)
    return null
  }

  for (const { place, naming } of named) {
    const problem = await look(place, naming)
    if (problem !== null) refused.set(place, [problem])
  }
  return { client, dossier, refused }
}

function ambiguous(value: string, clients: readonly Client[]): FieldProblem {
  const names = clients.map(({ nom, prenom, id }) => `${[nom, prenom].filter(Boolean).join(' ')}, ${id}`).join('; ')
  return fieldProblem('client_email', 'import_email_ambiguous', { value, names })
}
