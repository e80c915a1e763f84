import type { FieldProblem, Reason } from '@sav/core'
import { poseurFault } from '@sav/core/feature'
import type { Client, Poseur, Transaction } from '@sav/core/ports'
import { fieldProblem, reason } from '../refusals.js'
import type { Rdv } from './rdv.js'

/** People that a transaction has looked up and locked: they do not change before its end. */
export interface Persons {
  readonly poseur: Rdv['poseur'] | undefined
  readonly equipiers: Rdv['equipiers'] | undefined
  readonly problems: readonly FieldProblem[]
}

interface NamedPersons {
  readonly poseur_id?: number | undefined
  readonly equipiers?: readonly number[] | undefined
}

/**
 * Looks up the people that an input names, and those of `before`, the current ones. A named person must be active,
 * unless the person is one of the current ones. All are locked in the same order, so that two bookings of the same
 * people cannot deadlock.
 */
export async function personsIn(
  tx: Transaction,
  account_id: string,
  named: NamedPersons,
  before: { readonly poseur: Rdv['poseur']; readonly equipiers: Rdv['equipiers'] } | null = null,
): Promise<Persons> {
  const kept = before === null ? [] : [before.poseur.id, ...before.equipiers.map(({ id }) => id)]
  const ids = [...kept, ...(named.poseur_id === undefined ? [] : [named.poseur_id]), ...(named.equipiers ?? [])]
  const found = new Map<number, Poseur>()
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
    const poseur = await tx.directory.findPoseur(account_id, id)
    if (poseur !== null) found.set(id, poseur)
  }

  const problems: FieldProblem[] = []
  const person = (id: number, field: string) => {
    const poseur = found.get(id) ?? null
    const fault = poseur !== null && kept.includes(id) ? null : poseurFault(poseur, id)
    if (fault !== null) problems.push({ field, ...fault })
    return { id, nom: poseur?.nom ?? '' }
  }
  const poseur = named.poseur_id === undefined ? undefined : person(named.poseur_id, 'poseur_id')
  const team = named.equipiers?.map((id, index) => person(id, `equipiers[${index}]`))
  const equipiers = team?.toSorted((a, b) => a.id - b.id)
  const lead = poseur ?? before?.poseur
  if ((equipiers ?? before?.equipiers ?? []).some(({ id }) => id === lead?.id))
    problems.push(fieldProblem('equipiers', 'person_goes_already', { id: lead?.id ?? 0 }))
  return { poseur, equipiers, problems }
}

/** The client of an appointment. */
export async function clientIn(
  tx: Transaction,
  account_id: string,
  { client_id, dossier }: { readonly client_id: number | undefined; readonly dossier: Rdv['client'] | null },
): Promise<{ readonly client: Client | null; readonly problems: readonly FieldProblem[] }> {
  const id = client_id ?? dossier?.id
  if (id === undefined) return { client: null, problems: [] }
  const client = await tx.directory.findClient(account_id, id)
  const fault = clientFault(client, id, dossier)
  return { client, problems: fault === null ? [] : [{ field: 'client_id', ...fault }] }
}

function clientFault(client: Client | null, id: number, dossier: Rdv['client'] | null): Reason | null {
  if (client === null) return reason('client_unknown', { id })
  return dossier === null || dossier.id === id ? null : reason('client_differs', { id: dossier.id })
}
