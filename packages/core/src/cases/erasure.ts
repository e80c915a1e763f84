import type { Actor } from '../access/actor.js'
import type { Clock } from '../clock.js'
import { type Clients, clientView } from '../directory/clients.js'
import { found } from '../errors.js'
import {
  type ErasedClose,
  erasedBy,
  erasureMarker,
  erasureOf,
  erasureSnapshot,
  nextEntry,
} from '../evidence/evidence.js'
import type { Transaction } from '../storage.js'
import { toInstant } from '../time.js'
import type { WritesOf } from '../write.js'
import type { SavCase } from './case.js'
import { historyEntry } from './history.js'

export function erasureWrites({ clock }: { readonly clock: Clock }): WritesOf<Clients, 'erase'> {
  return {
    erase(actor, id) {
      const { account_id } = actor
      return {
        async write(tx) {
          const before = found(await tx.directory.findClient(account_id, id), 'client', id)
          if (before.efface_le === null) await eraseClient(tx, actor, id, toInstant(clock.now()))
          return clientView(found(await tx.directory.findClient(account_id, id), 'client', id))
        },
      }
    },
  }
}

/** What stands where something personal stood. */
const erased = '(effacé)'

/**
 * Takes a client out of everything: the directory, the cases and their history, files, reports, and the snapshots of
 * closes. What is sent out holds ids only. Each case that was ever closed gets an entry in the chain that says which of
 * its snapshots are gone, so that the chain stands without them.
 */
async function eraseClient(tx: Transaction, actor: Actor, client_id: number, at: string): Promise<void> {
  const { account_id } = actor
  for (const { id } of await tx.cases.ofClient(account_id, client_id)) {
    const found = await tx.cases.lock(account_id, id)
    if (found === null) continue
    await tx.cases.update(found, { date_modification: at, version: found.version + 1 })
    await tx.cases.appendHistory(account_id, id, [historyEntry(actor, at, 'effacement')])
    await tx.cases.erase(account_id, id, erased)
    await eraseReports(tx, found, at)
    await eraseEvidence(tx, found, at)
    await tx.files.release(account_id, id)
  }
  await tx.directory.updateClient(account_id, client_id, {
    nom: erased,
    prenom: erased,
    email: null,
    telephone: null,
    adresse: null,
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

async function eraseEvidence(tx: Transaction, found: SavCase, date: string): Promise<void> {
  const { account_id, id: case_id, reference } = found
  // First the end of the chain: closes of the account wait from here on.
  const head = await tx.evidence.lockHead(account_id)
  const closes: ErasedClose[] = []
  for (const entry of await tx.evidence.ofCase(account_id, case_id)) {
    const snapshot = await tx.evidence.snapshot(account_id, entry.hash_dossier)
    const isClose = snapshot !== null && erasureOf(entry, snapshot) === null && erasedBy(snapshot) === null
    if (isClose) closes.push(entry)
  }
  if (closes.length === 0) return
  const snapshot = erasureSnapshot(found, date, closes)
  const entry = nextEntry(head, { account: account_id, case_id, reference, date, snapshot })
  await tx.evidence.append(entry, snapshot)
  const marker = erasureMarker(date, entry.sequence)
  for (const { hash_dossier } of closes) await tx.evidence.eraseSnapshot(account_id, hash_dossier, marker)
}
