import { describe, expect, it, onTestFinished } from 'vitest'
import { everyTable } from '../../../test/whole/tables.js'
import { fieldStore } from '../../field/src/field-store.js'
import { importStore } from '../../moving/src/import-store.js'
import type { Row } from '../test/falsifying.js'
import { administeredStores } from '../test/houses.js'
import { actor, openShop, photo, png } from '../test/shop.js'

/** Columns without personal data that an erasure changes. */
const steering = ['version', 'date_modification', 'efface_le', 'erased_at', 'historique_numero', 'historique_hash']

const personalTables = everyTable.filter(
  ([name, { columns }]) =>
    Object.values(columns).some(({ traits }) => traits.isPersonal) &&
    // effects.test.ts of the core shows that answers of receivers are erased.
    !['deliveries', 'attempts'].includes(name),
)

describe.each(administeredStores)('an erasure on %s', (_, open) => {
  it('changes exactly the columns that are declared personal', async () => {
    const { storage, admin, close } = await open()
    onTestFinished(close)
    const { sav, work } = await openShop(storage)
    const lieu = { ligne1: '4 quai de Saône', code_postal: '69002', ville: 'Lyon' }
    const client = await sav.directory.clients.add(actor, {
      ...{
        nom: 'Durand',
        prenom: 'Alice',
        raison_sociale: 'Durand SARL',
        email: 'alice@durand.example',
        telephone: '+33612345678',
      },
      ...{ adresse: '4 quai de Saône, Lyon', lieu, whatsapp: true },
    })
    await storage.transaction((tx) =>
      tx.of(importStore).note(actor.account_id, [{ type: 'clients', cle: 'aa', id: client.id, empreinte: 'bb' }]),
    )
    const { id } = await sav.cases.create(actor, {
      ...{ client_id: client.id, description: 'La façade s’écaille sous l’évier.', photos: [photo('avant')] },
    })
    for (const notes_internes of ['Code du portail : 4711.', 'Sonner deux fois.'])
      await sav.cases.update(actor, id, { notes_internes })
    const poseur = await sav.directory.poseurs.add(actor, { nom: 'Karim Benali' })
    const visit = (hour: number, at: { readonly client_id: number } | { readonly sav_id: number }) => {
      const debut = new Date(Date.UTC(2036, 2, 3, hour)).toISOString()
      return sav.planning.book(actor, {
        poseur_id: poseur.id,
        debut,
        duree_minutes: 45,
        lieu,
        notes: 'Chez Alice',
        ...at,
      })
    }
    const cancelled = await visit(8, { client_id: client.id })
    await sav.planning.change(actor, cancelled.id, { statut: 'annule', motif_annulation: 'Mme Durand est souffrante' })
    const missed = await visit(10, { client_id: client.id })
    await sav.planning.change(actor, missed.id, { statut: 'absent' })
    const done = await visit(9, { sav_id: id })
    const pieces = [{ designation: 'Charnière', quantite: 2 }]
    await sav.planning.change(actor, done.id, { statut: 'realise', compte_rendu: 'Réglé devant Alice.', pieces })
    const closing = { resolution: 'Façade remplacée.', signataire_nom: 'A. Durand', reserves: ['Rayure.'] }
    const files = { photo_avant: photo('avant'), photo_apres: photo('après'), signature_client: png }
    await sav.cases.close(actor, id, { ...closing, ...files })
    await sav.cases.reopen(actor, id, { motif: 'Mme Durand rappelle.' })
    await sav.cases.close(actor, id, { ...closing, ...files })
    await work()
    await storage.transaction(async (tx) => {
      const found = await tx.cases.lock('default', id)
      if (found?.statut !== 'clos') throw new Error('the case was closed')
      const vu = found.photo_avant
      await tx.cases.update(found, {
        closing: { ...found, vu },
        date_modification: found.date_modification,
        version: found.version + 1,
      })
      const constat = {
        codes: ['souhait' as const],
        rdv: null,
        description: null,
        alternatives: [],
        souhait: 'Rappeler Alice.',
      }
      const about = { rdv_id: done.id, sav_id: id, client_id: client.id, nature: 'ajout' as const, constat }
      const at = { survenu_a: done.debut, date: done.fin }
      await tx
        .of(fieldStore)
        .addFact({ account_id: 'default', auteur_id: 'usr_1', cle: 'b', empreinte: 'b', ...about, ...at })
    })
    const kept = { account_id: 'default', key_id: 'key_1', request: 'r', body: 'b', status: 201, answer: 'a' }
    const created_at = '2026-01-01T00:00:00.000Z'
    await storage.transaction((tx) =>
      tx.idempotency.add({ ...kept, created_at, client_id: client.id, case_id: null }, created_at),
    )

    const readAll = async () => {
      const rows = new Map<string, Map<string, Row>>()
      for (const [name, { key }] of personalTables) {
        const keyOf = (row: Row) => JSON.stringify(key.map((column) => String(row[column])))
        rows.set(name, new Map((await admin.rows(name)).map((row) => [keyOf(row), row])))
      }
      return rows
    }
    const before = await readAll()
    await sav.directory.clients.erase(actor, client.id)
    const after = await readAll()
    for (const [name, { columns }] of personalTables) {
      const personal = Object.keys(columns).filter((column) => columns[column]?.traits.isPersonal)
      const changed = new Set<string>()
      for (const [key, row] of before.get(name) ?? []) {
        const now = after.get(name)?.get(key)
        // A deleted row loses all its columns.
        for (const column of now === undefined ? personal : Object.keys(columns))
          if (JSON.stringify(now?.[column]) !== JSON.stringify(row[column])) changed.add(column)
      }
      for (const column of steering) changed.delete(column)
      expect([name, [...changed].toSorted()]).toEqual([name, personal.toSorted()])
    }
  })
})
