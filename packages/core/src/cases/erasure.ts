import type { Actor } from '../access/actor.js'
import type { Clock } from '../clock.js'
import { type Clients, clientView } from '../directory/clients.js'
import { found } from '../errors.js'
import {
  type ErasedCase,
  type ErasedClose,
  erasedBy,
  erasureMarker,
  erasureOf,
  erasureSnapshot,
  nextEntry,
} from '../evidence/evidence.js'
import { erasedText, type HistoryHead } from '../evidence/history-chain.js'
import type { Random } from '../random.js'
import type { Storage, Transaction } from '../storage.js'
import { toInstant } from '../time.js'
import type { WritesOf } from '../write.js'
import type { SavCase } from './case.js'
import { historyEntry, recordChange } from './history.js'
import { noteErasure, scrubErased } from './scrubbing.js'

export interface ErasureWritesDeps {
  readonly clock: Clock
  readonly random: Random
  readonly storage: Storage
  /** What else is kept of a client. */
  readonly erasesWith: (
    tx: Transaction,
    erased: { readonly account_id: string; readonly client_id: number },
    at: string,
  ) => Promise<void>
}

export function erasureWrites({ clock, random, storage, erasesWith }: ErasureWritesDeps): WritesOf<Clients, 'erase'> {
  return {
    erase(actor, id) {
      const { account_id } = actor
      return {
        async write(tx) {
          const before = found(await tx.directory.findClient(account_id, id), 'client', id)
          if (before.efface_le === null) {
            const at = toInstant(clock.now())
            await eraseClient(tx, actor, { client_id: id, at, random })
            await erasesWith(tx, { account_id, client_id: id }, at)
          }
          return clientView(found(await tx.directory.findClient(account_id, id), 'client', id))
        },
        // The person is gone from everything that can be read; what fails here a worker does within the hour.
        committed: () => scrubErased(storage).catch(() => {}),
      }
    },
  }
}

/**
 * Takes a client out of everything: the directory, the cases and their history, files, reports, and the snapshots of
 * closes, and the answers that are kept for repetitions. What is sent out holds ids only. Each case that was ever closed
 * gets an entry in the chain that says which of its snapshots are gone, so that the chain stands without them.
 */
interface Erasing {
  readonly client_id: number
  readonly at: string
  readonly random: Random
}

async function eraseClient(tx: Transaction, actor: Actor, { client_id, at, random }: Erasing): Promise<void> {
  const { account_id } = actor
  await noteErasure(tx, at)
  for (const { id } of await tx.cases.ofClient(account_id, client_id)) {
    const found = await tx.cases.lock(account_id, id)
    if (found === null) continue
    const lines = [historyEntry(actor, at, 'effacement')]
    const historique = await recordChange(tx, random, found, { date_modification: at, lines })
    await tx.cases.erase(account_id, id, erasedText)
    await eraseReports(tx, found, at)
    await eraseEvidence(tx, found, at, historique)
    await tx.files.release(account_id, id)
    await tx.idempotency.erase(account_id, { case_id: id })
  }
  await tx.idempotency.erase(account_id, { client_id })
  await tx.directory.updateClient(account_id, client_id, {
    nom: erasedText,
    prenom: erasedText,
    email: null,
    telephone: null,
    adresse: null,
    lieu: null,
    whatsapp_depuis: null,
    efface_le: at,
  })
}

/** What was drawn and not sent yet is not sent any more. */
async function eraseReports(tx: Transaction, { account_id, id }: SavCase, at: string): Promise<void> {
  for (const report of await tx.reports.ofCase(account_id, id)) {
    await tx.reports.update({ ...report, pdf: null, erased_at: at })
    if (report.event_id !== null) await tx.deliveries.forgetResponses(account_id, report.event_id)
  }
}

async function eraseEvidence(
  tx: Transaction,
  { account_id, id: case_id, reference }: SavCase,
  date: string,
  historique: HistoryHead | null,
): Promise<void> {
  // First the end of the chain: closes of the account wait from here on.
  const head = await tx.evidence.lockHead(account_id)
  const closes: ErasedClose[] = []
  for (const entry of await tx.evidence.ofCase(account_id, case_id)) {
    const snapshot = await tx.evidence.snapshot(account_id, entry.hash_dossier)
    const isClose = snapshot !== null && erasureOf(entry, snapshot) === null && erasedBy(entry, snapshot) === null
    if (isClose) closes.push(entry)
  }
  if (closes.length === 0) return
  const dossier = leftOf(found(await tx.cases.find(account_id, case_id), 'case', case_id))
  const snapshot = erasureSnapshot(account_id, date, closes, { dossier, historique })
  const entry = nextEntry(head, { account: account_id, case_id, reference, date, snapshot })
  await tx.evidence.append(entry, snapshot)
  const marker = erasureMarker(date, entry.sequence)
  for (const { hash_dossier } of closes) await tx.evidence.eraseSnapshot(account_id, hash_dossier, marker)
}

/** What an erased case still says. */
function leftOf(erased: SavCase): ErasedCase {
  const { id, reference, description, statut, priorite, type_probleme, photos, notes_internes, date_creation } = erased
  const closing = erased.statut === 'clos' ? erased : null
  return {
    id,
    reference,
    client: { id: erased.client.id },
    description,
    statut,
    priorite,
    type_probleme,
    photos,
    notes_internes,
    date_creation,
    poseur_assigne: erased.poseur_assigne && { id: erased.poseur_assigne.id },
    date_cloture: closing?.date_cloture ?? null,
    resolution: closing?.resolution ?? null,
    photo_avant: closing?.photo_avant ?? null,
    photo_apres: closing?.photo_apres ?? null,
    signature_client: closing?.signature_client ?? null,
    signataire_nom: closing?.signataire_nom ?? null,
    reserves: closing?.reserves ?? null,
  }
}
