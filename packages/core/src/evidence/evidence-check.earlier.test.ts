import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { description, jpeg, motif, photo, resolution } from '../../test/chain-samples.js'
import { openProcess, openSav } from '../../test/open-sav.js'
import { canonicalJson } from './canonical-json.js'
import { nextEntry } from './evidence.js'

describe('evidence of an earlier release', () => {
  /** The snapshot and the history of a close as they were before histories had a chain. */
  async function earlier() {
    const opened = await openSav()
    const { sav, actor, client, storage, clock } = opened
    const { id } = await sav.cases.create(actor, { client_id: client.id, description, photos: [photo] })
    await sav.cases.close(actor, id, { resolution, photo_apres: photo })
    const { evidence, reports, cases } = storage.reads
    const [found, lines] = [await cases.find('default', id), await cases.historyChain('default', id)]
    const report = await reports.find('default', 1)
    const head = await evidence.head('default')
    const kept = head && (await evidence.snapshot('default', head.hash_dossier))
    if (!found || !report || !kept) throw new Error('the case was closed')
    const { historique: _, notes_internes: __, fichiers: ___, ...told } = JSON.parse(kept)
    const snapshot = canonicalJson({ ...told, version: 1 })

    const old = await memoryStorage()
    await old.transaction(async (tx) => {
      const account = await storage.reads.accounts.find('default')
      if (account === null) throw new Error('there is an account')
      await tx.accounts.add(account)
      const { nom, prenom } = client
      const none = {
        raison_sociale: null,
        email: null,
        telephone: null,
        adresse: null,
        lieu: null,
        whatsapp_depuis: null,
        efface_le: null,
      }
      const client_id = await tx.directory.addClient('default', { nom, prenom, ...none })
      const { account_id, type_probleme, priorite, photos, date_creation } = found
      const made = { account_id, annee: 2026, numero: 1, client_id, description, type_probleme, priorite, photos }
      await tx.cases.insert({ ...made, date_creation, tete_historique: null })
      const place = { numero: null, hash: null, sel: null, empreintes: null }
      await tx.cases.appendHistory(
        'default',
        id,
        lines.map((line) => ({ ...line, ...place })),
      )
      const open = await tx.cases.lock('default', id)
      if (open === null || found.statut !== 'clos') throw new Error('the case was closed')
      const {
        date_cloture,
        resolution,
        photo_avant,
        photo_apres,
        signature_client,
        signataire_nom,
        reserves,
        survenu_a,
        decalage_ms,
        vu,
      } = found
      const closing = {
        date_cloture,
        resolution,
        photo_avant,
        photo_apres,
        signature_client,
        signataire_nom,
        reserves,
        survenu_a,
        decalage_ms,
        vu,
      }
      await tx.cases.update(open, { statut: 'clos', closing, date_modification: date_cloture, version: 2 })
      await tx.files.put('default', id, { sha256: photo_apres ?? '', media_type: 'image/jpeg', content: jpeg })
      const recorded = { account: 'default', case_id: id, reference: found.reference, date: date_cloture, snapshot }
      await tx.evidence.append(nextEntry(null, recorded), snapshot)
      await tx.reports.add(report)
    })
    return { ...opened, ...openProcess({ storage: old, clock, seed: 2 }), old, id }
  }

  it('stands, and what no chain covers is counted', async () => {
    const { sav } = await earlier()
    expect(await sav.evidence.verify('default')).toEqual({
      checked: 1,
      uncovered: 2,
      uncovered_interventions: 0,
      broken: [],
    })
  })

  it('goes on with a chain from its next line, and from its next close with snapshots of version 2', async () => {
    const { sav, actor, id, clock } = await earlier()
    await clock.advance(1_000)
    await sav.cases.update(actor, id, { notes_internes: 'Client content.' })
    expect(await sav.evidence.verify('default')).toEqual({
      checked: 1,
      uncovered: 2,
      uncovered_interventions: 0,
      broken: [],
    })
    await sav.cases.reopen(actor, id, { motif })
    await sav.cases.update(actor, id, { priorite: 'haute' })
    await clock.advance(1_000)
    await sav.cases.close(actor, id, { resolution })
    expect(await sav.evidence.verify('default')).toEqual({
      checked: 2,
      uncovered: 2,
      uncovered_interventions: 0,
      broken: [],
    })
    expect(JSON.parse((await sav.cases.proof('default', id)).snapshot ?? '').version).toBe(3)
    await sav.directory.clients.erase(actor, 1)
    expect(await sav.evidence.verify('default')).toEqual({
      checked: 3,
      uncovered: 2,
      uncovered_interventions: 0,
      broken: [],
    })
  })

  it('is found falsified: its case, its status and its report', async () => {
    for (const change of [{ priorite: 'haute' }, { statut: 'en_cours', closing: null }] as const) {
      const { sav, old, id } = await earlier()
      await old.transaction(async (tx) => {
        const found = await tx.cases.lock('default', id)
        if (found) await tx.cases.update(found, { date_modification: found.date_modification, version: 3, ...change })
      })
      expect((await sav.evidence.verify('default')).broken).toEqual([
        expect.objectContaining({ problem: expect.stringContaining('differs') }),
      ])
    }
    const { sav, old } = await earlier()
    const report = await old.reads.reports.find('default', 1)
    await old.transaction(async (tx) => {
      if (report) await tx.reports.update({ ...report, pdf: 'e'.repeat(64) })
    })
    expect((await sav.evidence.verify('default')).broken).not.toEqual([])
  })
})
