import { describe, expect, it } from 'vitest'
import { refusal } from '../../../planning/test/planning.js'
import { replacing } from '../../../planning/test/replacing.js'
import { dataUri, jpeg, otherJpeg, resolution, sha256, withCase, withClosedCase } from '../../test/case-samples.js'
import type { as } from '../../test/open-sav.js'
import { ClientErasedError } from '../errors.js'

const texte = 'La cliente rappelle : la fuite a repris sous l’évier.'
const untouched = { broken: [] }

describe('a comment', () => {
  it('is added to the history, and listed newest first', async () => {
    const { sav, actor, id, clock } = await withCase()
    const first = await sav.cases.comment(actor, id, { texte: `  ${texte}  ` })
    expect(first).toEqual({ id: first.id, date: new Date(clock.now()).toISOString(), acteur: actorOf(actor), texte })
    const second = await sav.cases.comment(actor, id, { texte: 'Rappelée, rendez-vous jeudi.' })
    const { items, curseur } = await sav.cases.comments('default', id, { limite: 1 })
    expect(items).toEqual([second])
    expect(await sav.cases.comments('default', id, { limite: 1, curseur: curseur ?? '' })).toEqual({
      items: [first],
      curseur: null,
    })
    const { historique, version } = await sav.cases.get('default', id)
    expect(version).toBe(3)
    expect(historique.slice(1).map(({ type, commentaire }) => [type, commentaire])).toEqual([
      ['commentaire', texte],
      ['commentaire', 'Rappelée, rendez-vous jeudi.'],
    ])
  })

  it('is announced to receivers only by the name of the changed field, as photos are', async () => {
    const { sav, actor, id, posted, worker, clock } = await withCase()
    await sav.webhooks.endpoints.add(actor, { url: 'https://erp.example/', events: ['sav.updated'] })
    await sav.cases.comment(actor, id, { texte })
    await clock.advance(1)
    await sav.cases.addPhotos(actor, id, { photos: [dataUri(jpeg)] })
    worker.start()
    await clock.advance(2_000)
    await worker.stop()
    const told = posted.map(({ body }) => JSON.parse(body).data)
    expect(told.map(({ changements }) => changements)).toEqual([[{ champ: 'commentaires' }], [{ champ: 'photos' }]])
    expect(told.map(({ version }) => version)).toEqual([2, 3])
  })

  it('on a closed case is in the evidence: a falsified comment is found, and an erasure removes its text', async () => {
    const { sav, actor, id, client, storage } = await withClosedCase()
    await sav.cases.comment(actor, id, { texte })
    expect(await sav.evidence.verify('default')).toEqual({ checked: 1, ...untouched })
    const cases = replacing(storage.reads.cases, {
      historyChain: async (account_id, case_id) =>
        (await storage.reads.cases.historyChain(account_id, case_id)).map((line) =>
          line.type === 'commentaire' ? { ...line, commentaire: 'La cliente est satisfaite.' } : line,
        ),
    })
    const falsified = await sav
      .inTransaction({ ...storage, reads: { ...storage.reads, cases } })
      .evidence.verify('default')
    expect(falsified.broken.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/^commentaire of line \d+ of the history does not match its digest$/),
    ])

    await sav.directory.clients.erase(actor, client.id)
    expect((await sav.cases.comments('default', id, {})).items.map((comment) => comment.texte)).toEqual(['(effacé)'])
    expect(await sav.evidence.verify('default')).toEqual({ checked: 2, ...untouched })
    expect(await refusal(sav.cases.comment(actor, id, { texte }))).toBeInstanceOf(ClientErasedError)
    expect(await refusal(sav.cases.addPhotos(actor, id, { photos: [dataUri(jpeg)] }))).toBeInstanceOf(ClientErasedError)
  })
})

describe('added photos', () => {
  const link = 'https://photos.example/evier.jpg'

  it('each have a history line, and are in the next snapshot', async () => {
    const { sav, actor, id, clock } = await withCase({ photos: [dataUri(jpeg)] })
    await clock.advance(60_000)
    const date = new Date(clock.now()).toISOString()
    const added = await sav.cases.addPhotos(actor, id, { photos: [dataUri(otherJpeg), link] })
    expect(added).toEqual([
      { id: `${id}-2`, sha256: sha256(otherJpeg), date },
      { id: `${id}-3`, url: link, date },
    ])
    const { photos, historique } = await sav.cases.get('default', id)
    expect(photos).toEqual([{ id: `${id}-1`, sha256: sha256(jpeg) }, ...added])
    expect(historique.slice(1)).toMatchObject([
      { type: 'photo', champ: 'photo', nouvelle_valeur: sha256(otherJpeg), commentaire: null },
      { type: 'photo', champ: 'photo', nouvelle_valeur: null, commentaire: link },
    ])
    expect(Buffer.compare((await sav.cases.file('default', id, sha256(otherJpeg))).content, otherJpeg)).toBe(0)
    await sav.cases.close(actor, id, { resolution })
    const { snapshot } = await sav.cases.proof('default', id)
    expect(JSON.parse(snapshot ?? '').photos).toEqual([
      { sha256: sha256(jpeg) },
      { date, sha256: sha256(otherJpeg) },
      { date, url: link },
    ])
  })

  it('after a close are part of the evidence: a missing, extra or changed one is found', async () => {
    const { sav, actor, id, storage, client, poseur } = await withClosedCase()
    await sav.cases.reopen(actor, id, { motif: 'La porte frotte à nouveau.' })
    const debut = '2026-03-16T09:00:00+01:00'
    const rdv = await sav.planning.book(actor, { sav_id: id, poseur_id: poseur.id, debut, duree_minutes: 60 })
    await sav.cases.addPhotos(actor, id, { photos: [dataUri(jpeg), link], rdv_id: rdv.id })
    expect((await sav.cases.get('default', id)).photos).toMatchObject([{ rdv_id: rdv.id }, { rdv_id: rdv.id }])
    expect(await sav.evidence.verify('default')).toEqual({ checked: 1, ...untouched })

    const falsified = async (change: (photos: readonly object[]) => readonly object[]) => {
      const cases = replacing(storage.reads.cases, {
        async find(account_id, case_id) {
          const found = await storage.reads.cases.find(account_id, case_id)
          return found && Object.assign({}, found, { photos: change(found.photos) })
        },
      })
      const other = sav.inTransaction({ ...storage, reads: { ...storage.reads, cases } })
      return (await other.evidence.verify('default')).broken.map(({ problem }) => problem)
    }
    const differs = 'the case differs from its snapshot: photos'
    expect(await falsified((photos) => photos.slice(1))).toContain(differs)
    expect(await falsified((photos) => [...photos, { url: link }])).toEqual([differs])
    expect(await falsified((photos) => photos.map((photo) => ({ ...photo, rdv_id: 999 })))).toEqual([differs])

    await sav.directory.clients.erase(actor, client.id)
    expect((await sav.cases.get('default', id)).photos).toEqual([])
    expect(await sav.evidence.verify('default')).toEqual({ checked: 2, ...untouched })
    const { historique } = await sav.cases.get('default', id)
    expect(JSON.stringify(historique)).not.toContain(link)
  })

  it('must number 1 to 10, and can only name an appointment of their case', async () => {
    const { sav, actor, id, client, poseur } = await withCase()
    const add = (photos: string[], rdv_id?: number) =>
      sav.cases.addPhotos(actor, id, { photos, ...(rdv_id !== undefined && { rdv_id }) })
    expect(await add(Array.from({ length: 10 }, () => link))).toHaveLength(10)
    for (const photos of [[], Array.from({ length: 11 }, () => link)])
      expect(await refusal(add(photos))).toMatchObject({ details: [{ field: 'photos' }] })
    const debut = '2026-03-16T09:00:00+01:00'
    const other = await sav.planning.book(actor, {
      client_id: client.id,
      poseur_id: poseur.id,
      debut,
      duree_minutes: 60,
    })
    for (const rdv_id of [other.id, 999])
      expect(await refusal(add([link], rdv_id))).toMatchObject({ details: [{ field: 'rdv_id' }] })
  })
})

const actorOf = ({ type, id, nom }: ReturnType<typeof as>) => ({ type, id, nom })
