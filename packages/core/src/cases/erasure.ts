import type { Actor } from '../access/actor.js'
import { type Clients, clientView, lockCasesOf } from '../directory/clients.js'
import { type Client, unknownClient } from '../directory/directory.js'
import { saysNothing } from '../directory/erased-client.js'
import { found } from '../errors.js'
import { closingFields, noClosing, sealedFields } from '../evidence/closing-fields.js'
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
import type { Storage, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import { picked } from '../values/picked.js'
import type { Random } from '../values/random.js'
import type { WritesOf } from '../write.js'
import type { HistoryEntry, SavCase } from './case.js'
import { historyEntry, recordChange } from './history.js'
import { beginScrubbing, noteErasure } from './scrubbing.js'

/** Personal data of a client outside of cases. */
export interface OutsideErasure {
  /** Locks this data. It is called before the client is locked. */
  lock(tx: Transaction, erased: ErasedClient): Promise<void>
  erase(tx: Transaction, erased: ErasedClient, at: string): Promise<void>
}

export interface ErasedClient {
  readonly account_id: string
  readonly client_id: number
}

export interface ErasureWritesDeps {
  readonly clock: Clock
  readonly random: Random
  readonly storage: Storage
  readonly erasesClient: OutsideErasure
  /** @throws ConflictError if the store has rows of a feature that is not composed, since they could not be erased */
  readonly refuseUncomposed: () => Promise<void>
}

export function erasureWrites({
  clock,
  random,
  storage,
  erasesClient,
  refuseUncomposed,
}: ErasureWritesDeps): WritesOf<Clients, 'erase'> {
  return {
    erase(actor, id) {
      const erased = { account_id: actor.account_id, client_id: id }
      return {
        prepare: refuseUncomposed,
        async write(tx) {
          // From here on nothing more can be written about that person; the code below finds all earlier data.
          await lockCasesOf(tx, erased)
          await erasesClient.lock(tx, erased)
          const client = found(await tx.directory.findClient(erased.account_id, id), 'client', id)
          const at = toInstant(clock.now())
          await eraseClient(tx, actor, { client, at, random })
          await erasesClient.erase(tx, erased, at)
          return clientView(found(await tx.directory.findClient(erased.account_id, id), 'client', id))
        },
        // Reads no longer show the personal data; this overwrites it in the files of the store. If it fails, a worker
        // repeats it within an hour.
        committed: () => beginScrubbing(storage, clock),
      }
    },
  }
}

interface ClientErasure {
  /** The client as it was found. */
  readonly client: Client
  readonly at: string
  readonly random: Random
}

/**
 * Erases a client everywhere: in the directory, the cases and their history, files, reports, the snapshots of closes,
 * and kept answers. Sent events have only ids. Each case that was ever closed gets a chain entry that names its erased
 * snapshots, so that the chain verifies without them. A case erased earlier and not written since is left unchanged.
 */
async function eraseClient(tx: Transaction, actor: Actor, { client, at, random }: ClientErasure): Promise<void> {
  const { account_id } = actor
  await noteErasure(tx, at)
  for (const { id } of await tx.cases.ofClient(account_id, client.id)) {
    const dossier = await tx.cases.lock(account_id, id)
    if (dossier === null || (client.efface_le !== null && (await isErased(tx, dossier)))) continue
    const lines = [historyEntry(actor, at, 'effacement')]
    const historique = await recordChange(tx, random, dossier, { date_modification: at, lines })
    await tx.cases.erase(account_id, id, erasedText)
    await eraseReports(tx, dossier, at)
    await eraseEvidence(tx, dossier, at, historique)
    await tx.files.release(account_id, id)
    await tx.idempotency.erase(account_id, { case_id: id })
  }
  await tx.idempotency.erase(account_id, { client_id: client.id })
  await tx.directory.updateClient(account_id, client.id, {
    ...unknownClient,
    nom: erasedText,
    prenom: erasedText,
    efface_le: client.efface_le ?? at,
  })
}

/** Whether a case has no personal data left: no file, and no text in it or in its history. */
async function isErased(tx: Transaction, dossier: SavCase): Promise<boolean> {
  const { account_id, id, description, notes_internes, photos } = dossier
  const closing = dossier.statut === 'clos' ? dossier : null
  const texts = [description, notes_internes, closing?.resolution, closing?.signataire_nom]
  if (!texts.every(saysNothing) || photos.length + (closing?.reserves.length ?? 0) > 0) return false
  if ((await tx.files.ofCase(account_id, id)).length > 0) return false
  const interventions = await tx.cases.interventions(account_id, id)
  if (!interventions.every(({ compte_rendu, pieces }) => saysNothing(compte_rendu) && pieces.length === 0)) return false
  const lines = await tx.cases.historyChain(account_id, id)
  return lines.every(({ sel, commentaire, ...line }) => sel === null || (saysNothing(commentaire) && !tellsNotes(line)))
}

const tellsNotes = ({ champ, ancienne_valeur, nouvelle_valeur }: FieldOfLine) =>
  champ === 'notes_internes' && ![ancienne_valeur, nouvelle_valeur].every((value) => saysNothing(value?.toString()))

type FieldOfLine = Pick<HistoryEntry, 'champ' | 'ancienne_valeur' | 'nouvelle_valeur'>

/** Erases a case's reports, so that none is sent any more. */
async function eraseReports(tx: Transaction, { account_id, id }: SavCase, at: string): Promise<void> {
  for (const report of await tx.reports.ofCase(account_id, id)) {
    if (report.erased_at === null) await tx.reports.update({ ...report, pdf: null, erased_at: at })
    if (report.event_id !== null) await tx.deliveries.forgetResponses(account_id, report.event_id)
  }
}

async function eraseEvidence(
  tx: Transaction,
  { account_id, id: case_id, reference }: SavCase,
  date: string,
  historique: HistoryHead,
): Promise<void> {
  // Lock the chain's head first: closes of the account wait from here on.
  const head = await tx.evidence.lockHead(account_id)
  const recorded = await tx.evidence.ofCase(account_id, case_id)
  // A case that was imported closed has no entry of its own yet.
  const everClosed = async () => (await tx.cases.history(account_id, case_id)).some(({ type }) => type === 'cloture')
  if (recorded.length === 0 && !(await everClosed())) return
  const closes: ErasedClose[] = []
  for (const entry of recorded) {
    const snapshot = await tx.evidence.snapshot(account_id, entry.hash_dossier)
    const isClose = snapshot !== null && erasureOf(entry, snapshot) === null && erasedBy(entry, snapshot) === null
    if (isClose) closes.push(entry)
  }
  const dossier = leftOf(found(await tx.cases.find(account_id, case_id), 'case', case_id))
  const snapshot = erasureSnapshot(account_id, date, closes, { dossier, historique })
  const entry = nextEntry(head, { account: account_id, case_id, reference, date, snapshot })
  await tx.evidence.append(entry, snapshot)
  const marker = erasureMarker(date, entry.sequence)
  for (const { hash_dossier } of closes) await tx.evidence.eraseSnapshot(account_id, hash_dossier, marker)
}

/** The data that an erased case keeps. */
function leftOf(erased: SavCase): ErasedCase {
  const { client, poseur_assigne, photos, notes_internes } = erased
  return {
    ...picked(erased, sealedFields),
    client: { id: client.id },
    poseur_assigne: poseur_assigne && { id: poseur_assigne.id },
    photos,
    notes_internes,
    ...(erased.statut === 'clos' ? picked(erased, closingFields) : noClosing),
  }
}
