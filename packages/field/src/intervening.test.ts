import { describe, expect, it } from 'vitest'
import { ClientErasedError, IdempotencyMismatchError } from '../../core/src/errors.js'
import { day, jpeg, sha256 } from '../../core/test/case-samples.js'
import { openPlanning, refusal } from '../../planning/test/planning.js'
import { fieldStore } from './field-store.js'
import { purgeField } from './upkeep.js'

const report = 'Coulisse remplacée, tiroir réglé.'
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
/** An image of one white pixel. */
const blank = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGP4DwQACfsD/fteaysAAAAASUVORK5CYII=',
  'base64',
)
const photo = (index: number) => Buffer.concat([jpeg, Buffer.alloc(100, index)])
const vu = 'Dossier : Le tiroir à couverts frotte en bas à gauche.'

/** A visit of a case at 09:00 in Paris, and its installer. */
async function onSite() {
  const opened = await openPlanning()
  const { sav, actor, booking, addCase, poseur, clock } = opened
  const sav_id = await addCase()
  const rdv = await sav.planning.book(actor, { ...booking, sav_id })
  const own = { nom: 'Bruno Petit', poseur_id: poseur.id }
  const user = await sav.users.add(actor, { ...own, email: 'bruno@petit.example', role: 'poseur' })
  const bruno = { account_id: 'default', type: 'utilisateur', id: user.id, ...own } as const
  const reach = { poseur_id: poseur.id }
  const where = (cle: string, rdv_id = rdv.id) => ({ rdv_id, reach, cle })
  const now = (agoMs = 0) => ({ survenu_a: new Date(clock.now() - agoMs).toISOString(), version: rdv.version })
  const send = async (content: Buffer) => {
    const name = sha256(content)
    await sav.field.receive(bruno, { sha256: name, taille: content.length, debut: 0, content })
    return name
  }
  const open = () => sav.followUps.list('default', { receivers: false })
  const verified = async () => (await sav.evidence.verify('default')).broken
  return { ...opened, sav_id, rdv, bruno, reach, where, now, send, open, verified }
}
const done = { resultat: 'resolu' as const, compte_rendu: report }
const closing = { resolution: report, reserves: ['Vitre rayée.'], signataire_nom: 'A. Durand', vu }

describe('an installer’s report', () => {
  it('begins a visit, or reports a delay or an absence', async () => {
    const { sav, bruno, where, now, sav_id, rdv, open } = await onSite()
    const late = await sav.field.late(bruno, where('k0'), { ...now(), minutes: 30 })
    expect(late).toMatchObject({ statut: 'planifie', retard_minutes: 30, constat: null })
    const begun = await sav.field.began(bruno, where('k1'), now())
    expect(begun).toMatchObject({ id: rdv.id, statut: 'en_cours', constat: null })
    expect((await sav.cases.get('default', sav_id)).statut).toBe('en_cours')
    const absent = await sav.field.missed(bruno, where('k2'), { ...now(), compte_rendu: 'Volets clos.' })
    expect(absent).toMatchObject({ statut: 'absent', constat: null })
    expect(await sav.cases.comments('default', sav_id, {})).toMatchObject({ items: [{ texte: 'Volets clos.' }] })
    expect(await open()).toMatchObject([{ type: 'client_absent' }])
  })

  it('on a visit without a case is appended to its notes, even beyond their limit', async () => {
    const { sav, actor, bruno, where, now, booking } = await onSite()
    const notes = '🪚'.repeat(4999)
    const bare = { ...booking, debut: '2026-03-17T09:00:00+01:00', notes }
    const { id } = await sav.planning.book(actor, bare)
    const absent = await sav.field.missed(bruno, where('k1', id), { ...now(), compte_rendu: 'Volets clos.' })
    expect(absent.notes).toBe(`${notes}\nVolets clos.`)
    const told = await sav.field.done(bruno, where('k2', id), { ...now(), ...done })
    expect(told.notes).toBe(`${notes}\nVolets clos.\n${report}`)
  })

  it('of impossible work adds a follow-up, until another visit is booked or the case is closed', async () => {
    const { sav, actor, bruno, where, now, booking, sav_id, rdv, open, clock } = await onSite()
    const impossible = { ...now(), resultat: 'impossible' as const, compte_rendu: 'Le parquet est en travaux.' }
    expect(await sav.field.done(bruno, where('k1'), impossible)).toMatchObject({
      statut: 'realise',
      resultat: 'impossible',
      constat: null,
    })
    await sav.field.done(bruno, where('k1'), impossible)
    const waiting = await open()
    expect(waiting).toMatchObject([
      {
        ...{ type: 'visite_impossible', rdv_id: rdv.id, sav_id, client: rdv.client },
        texte: 'Visite impossible le 16/03/2026 à 09:00 : Le parquet est en travaux.',
      },
    ])
    await clock.advance(1)
    const again = await sav.planning.book(actor, { ...booking, debut: '2026-03-20T08:00:00Z', sav_id })
    expect(await open()).toEqual([])
    await sav.planning.change(actor, again.id, { statut: 'annule', motif_annulation: 'Pas avant avril.' })
    expect(await open()).toEqual(waiting)
    await sav.cases.close(actor, sav_id, { resolution: report })
    expect(await open()).toEqual([])
  })

  it('of impossible work adds no follow-up if it books the next visit, but does if it only requests one', async () => {
    const { sav, actor, bruno, where, now, booking, sav_id, open } = await onSite()
    const impossible = { ...now(), resultat: 'impossible' as const }
    const [slot] = await sav.planning.slots('default', { sav_id, duree: 30, du: '2026-03-18', au: '2026-03-19' })
    await sav.field.done(bruno, where('k1'), { ...impossible, prochain: { jeton: slot?.jeton ?? '' } })
    expect(await open()).toEqual([])
    const other = await sav.planning.book(actor, { ...booking, debut: '2026-03-16T13:00:00Z' })
    const later = { ...impossible, version: other.version, prochain: { souhait: 'Un samedi.' } }
    await sav.field.done(bruno, where('k2', other.id), later)
    expect((await open()).map(({ type, texte }) => [type, texte]).toSorted()).toEqual([
      ['terrain', expect.stringContaining('Un samedi.')],
      ['visite_impossible', 'Visite impossible le 16/03/2026 à 14:00.'],
    ])
  })

  it('of an intervention stores photos, comments, parts, the visit and the signed close together', async () => {
    const { sav, actor, bruno, where, now, send, sav_id, rdv, kinds, verified, storage } = await onSite()
    await kinds()
    const [avant, apres, autre, signature] = [
      await send(photo(1)),
      await send(photo(2)),
      await send(photo(3)),
      await send(png),
    ]
    const photos = [
      { sha256: avant, moment: 'avant' as const },
      { sha256: apres, moment: 'apres' as const },
      { sha256: autre, moment: 'autre' as const },
    ]
    const claim = { ...now(10_800_000), decalage_ms: -7_200_000 }
    const told = await sav.field.done(bruno, where('k1'), {
      ...claim,
      ...done,
      commentaires: ['Prévoir un joint.'],
      pieces: [{ designation: 'Coulisse', quantite: 2 }],
      photos,
      cloture: { ...closing, signature },
    })
    expect(told).toMatchObject({ statut: 'realise', resultat: 'resolu', compte_rendu: report, constat: null })
    const survenu_a = new Date(Date.parse(claim.survenu_a) + 7_200_000).toISOString()
    const detail = await sav.cases.get('default', sav_id)
    expect(detail).toMatchObject({
      statut: 'clos',
      resolution: report,
      photo_avant: avant,
      photo_apres: apres,
      signature_client: signature,
      signataire_nom: 'A. Durand',
      reserves: ['Vitre rayée.'],
      survenu_a,
      decalage_ms: -7_200_000,
      vu: sha256(Buffer.from(vu)),
      addenda: [],
      photos: [{ sha256: autre, rdv_id: rdv.id }],
      interventions: [{ rdv_id: rdv.id, survenu_a, compte_rendu: report }],
    })
    const shown = await storage.reads.files.find('default', sav_id, sha256(Buffer.from(vu)))
    expect([shown?.media_type, Buffer.from(shown?.content ?? []).toString()]).toEqual(['text/plain; charset=utf-8', vu])
    const { snapshot } = await sav.cases.proof('default', sav_id)
    expect(JSON.parse(snapshot ?? '')).toMatchObject({
      survenu_a,
      decalage_ms: -7_200_000,
      vu: sha256(Buffer.from(vu)),
    })
    const { hash_sha256 = '' } = detail.preuve.at(-1) ?? {}
    const sur_place = { survenu_a, cru: true, decalage_ms: -7_200_000 }
    expect(await sav.evidence.checkPrinted(hash_sha256)).toMatchObject({ dossier: 'conforme', sur_place })
    await sav.directory.clients.erase(actor, rdv.client.id)
    expect(await sav.evidence.checkPrinted(hash_sha256)).toMatchObject({ dossier: 'efface', sur_place: null })
    expect(await kinds()).toEqual(expect.arrayContaining(['rdv.completed', 'sav.status_changed']))
    expect(await storage.reads.of(fieldStore).uploadedBytes('default', bruno.id)).toBe(0)
    expect(await verified()).toEqual([])
  })

  it('is applied only once within 30 days, and another report under its key is refused', async () => {
    const { sav, bruno, where, now, send, sav_id, clock, storage } = await onSite()
    const photos = [{ sha256: await send(photo(1)), moment: 'apres' as const }]
    const input = { ...now(), ...done, photos }
    const first = await sav.field.done(bruno, where('k1'), input)
    await clock.advance(30 * day)
    await purgeField({ storage, clock })
    expect(await sav.field.done(bruno, where('k1'), input)).toEqual(first)
    const { interventions, photos: kept } = await sav.cases.get('default', sav_id)
    expect([interventions.length, kept.length]).toEqual([1, 1])
    const other = sav.field.done(bruno, where('k1'), { ...input, resultat: 'partiel' })
    expect(await refusal(other)).toBeInstanceOf(IdempotencyMismatchError)
    await clock.advance(1)
    await purgeField({ storage, clock })
    expect(await storage.reads.of(fieldStore).fact('default', bruno.id, 'k1')).toBeNull()
  })

  it('is refused until each file that it names has arrived, and stores nothing before that', async () => {
    const { sav, bruno, where, now, send, sav_id } = await onSite()
    const [here, missing] = [await send(photo(1)), sha256(photo(2))]
    const photos = [here, missing].map((name) => ({ sha256: name, moment: 'autre' as const }))
    const input = { ...now(), ...done, photos }
    const refused = await refusal(sav.field.done(bruno, where('k1'), input))
    expect(refused).toMatchObject({ code: 'file_missing', params: { hashes: missing } })
    expect((await sav.cases.get('default', sav_id)).interventions).toEqual([])
    await send(photo(2))
    expect(await sav.field.done(bruno, where('k1'), input)).toMatchObject({ statut: 'realise' })
    // The case has the files now, so they need not be sent again.
    const again = await sav.field.done(bruno, where('k2'), input)
    expect(again.constat?.codes).toEqual(['rdv_termine'])
  })

  it('is stored if the office moved, reassigned or cancelled the visit, and the office is notified', async () => {
    const { sav, actor, bruno, where, now, helper, sav_id, rdv, open, verified } = await onSite()
    await sav.planning.change(actor, rdv.id, { debut: '2026-03-17T09:00:00+01:00', poseur_id: helper.id })
    const begun = await sav.field.began(bruno, where('k1'), now())
    expect(begun).toMatchObject({
      statut: 'en_cours',
      constat: { codes: ['rdv_deplace', 'rdv_donne'], rdv: { poseur: { id: helper.id } } },
    })
    await sav.planning.change(actor, rdv.id, { statut: 'annule', motif_annulation: 'La cliente rappelle.' })
    const told = await sav.field.done(bruno, where('k2'), { ...now(), ...done })
    expect(told).toMatchObject({ statut: 'annule', constat: { codes: ['rdv_deplace', 'rdv_donne', 'rdv_annule'] } })
    const { interventions, historique } = await sav.cases.get('default', sav_id)
    expect(interventions).toMatchObject([{ poseur: { nom: 'Bruno Petit' }, compte_rendu: report }])
    expect(historique.filter(({ type }) => type === 'terrain')).toHaveLength(2)
    const items = (await open()).filter(({ type }) => type === 'terrain')
    expect(items.map(({ texte }) => texte).toSorted()).toEqual([
      expect.stringMatching(/^Début de visite .*déplacé au 17\/03\/2026 à 09:00\. .*donné à Ismaël Roy\.$/),
      expect.stringMatching(/^Intervention .*était annulé, et le reste\.$/),
    ])
    expect(await verified()).toEqual([])
  })

  it('becomes an addendum if the case was closed meanwhile, and the next close has it in its snapshot', async () => {
    const { sav, actor, bruno, where, now, send, sav_id, verified } = await onSite()
    await sav.cases.close(actor, sav_id, { resolution: 'Réglé par téléphone.' })
    const [signature, apres] = [await send(png), await send(photo(1))]
    const photos = [{ sha256: apres, moment: 'apres' as const }]
    const input = { ...now(), ...done, photos, cloture: { ...closing, signature } }
    const told = await sav.field.done(bruno, where('k1'), input)
    expect(told.constat?.codes).toContain('dossier_clos')
    const addendum = { survenu_a: input.survenu_a, resolution: report, photo_apres: apres, signature_client: signature }
    const beside = { ...addendum, signataire_nom: 'A. Durand', reserves: ['Vitre rayée.'], vu: sha256(Buffer.from(vu)) }
    const detail = await sav.cases.get('default', sav_id)
    expect(detail).toMatchObject({ statut: 'clos', resolution: 'Réglé par téléphone.', addenda: [beside] })
    expect(detail.preuve).toHaveLength(1)
    expect(await verified()).toEqual([])
    await sav.cases.reopen(actor, sav_id, { motif: 'Le tiroir frotte encore.' })
    await sav.cases.close(actor, sav_id, { resolution: report })
    const { snapshot } = await sav.cases.proof('default', sav_id)
    const fichiers = [apres, signature, sha256(Buffer.from(vu))]
    expect(JSON.parse(snapshot ?? '').addenda).toMatchObject([
      { survenu_a: input.survenu_a, resolution: report, fichiers },
    ])
    expect(await verified()).toEqual([])
  })

  it('gets a finding with the signed and the current text if these differ', async () => {
    const { sav, bruno, where, now, send } = await onSite()
    const cloture = { ...closing, signature: await send(png), vu: 'Dossier : la porte du four.' }
    const { constat } = await sav.field.done(bruno, where('k1'), { ...now(), ...done, cloture })
    expect(constat).toMatchObject({
      codes: ['description_changee'],
      description: { signee: 'Dossier : la porte du four.', actuelle: 'Le tiroir à couverts frotte en bas à gauche.' },
    })
  })

  it('is refused if the signature is blank, and stores nothing', async () => {
    const { sav, bruno, where, now, send, sav_id } = await onSite()
    const cloture = { ...closing, signature: await send(blank) }
    expect(await refusal(sav.field.done(bruno, where('k1'), { ...now(), ...done, cloture }))).toMatchObject({
      details: [{ field: 'cloture.signature', code: 'signature_without_ink' }],
    })
    expect(await sav.cases.get('default', sav_id)).toMatchObject({ statut: 'ouvert', signature_client: null })
  })

  it('books the next visit, or gets other free times if that time is taken', async () => {
    const { sav, actor, bruno, where, now, reach, rdv, sav_id, client, poseur, open } = await onSite()
    const [slot, other] = await sav.field.slots('default', reach, rdv.id, { duree: 60 })
    const partly = { ...now(), resultat: 'partiel' as const, compte_rendu: report }
    const first = await sav.field.done(bruno, where('k1'), { ...partly, prochain: { jeton: slot?.jeton ?? '' } })
    expect(first.constat).toBeNull()
    expect((await sav.planning.ofCase('default', sav_id, {})).items.map(({ debut }) => debut)).toContain(slot?.debut)
    const { debut = '', fin = '' } = other ?? {}
    await sav.planning.book(actor, { client_id: client.id, poseur_id: poseur.id, debut, fin })
    const second = await sav.field.done(bruno, where('k2'), { ...partly, prochain: { jeton: other?.jeton ?? '' } })
    expect(second.constat).toMatchObject({ codes: ['rdv_termine', 'creneau_pris'] })
    expect(second.constat?.alternatives).toHaveLength(3)
    const wish = await sav.field.done(bruno, where('k3'), { ...partly, prochain: { souhait: 'Le matin.' } })
    expect(wish.constat).toMatchObject({ codes: ['rdv_termine', 'souhait'], souhait: 'Le matin.' })
    expect((await open()).filter(({ type }) => type === 'terrain')).toHaveLength(2)
  })

  it('is refused if the client was erased, unless it only ends the visit, without any text', async () => {
    const { sav, actor, bruno, where, now, client, sav_id, verified } = await onSite()
    await sav.field.began(bruno, where('k1'), now())
    await sav.directory.clients.erase(actor, client.id)
    for (const input of [
      { ...now(), ...done },
      { ...now(), resultat: 'resolu' as const, commentaires: ['Dommage.'] },
    ])
      expect(await refusal(sav.field.done(bruno, where('k2'), input))).toBeInstanceOf(ClientErasedError)
    expect(await refusal(sav.field.missed(bruno, where('k3'), now()))).toBeInstanceOf(ClientErasedError)
    const bare = await sav.field.done(bruno, where('k4'), { ...now(), resultat: 'resolu' })
    expect(bare).toMatchObject({ statut: 'realise', constat: null })
    expect((await sav.cases.get('default', sav_id)).interventions).toMatchObject([{ compte_rendu: null }])
    expect(await verified()).toEqual([])
  })

  it('is refused for another installer’s visit, and if it has a case’s fields but its visit has no case', async () => {
    const { sav, actor, bruno, booking, helper, where, now } = await onSite()
    const other = await sav.planning.book(actor, { ...booking, poseur_id: helper.id })
    expect(await refusal(sav.field.began(bruno, where('k1', other.id), now()))).toMatchObject({
      params: { what: 'rdv' },
    })
    const bare = await sav.planning.book(actor, { ...booking, debut: '2026-03-18T09:00:00+01:00' })
    const cloture = { resolution: report }
    const input = {
      ...now(),
      ...done,
      photos: [{ sha256: sha256(png), moment: 'autre' as const }],
      commentaires: ['x'],
      cloture,
    }
    expect(await refusal(sav.field.done(bruno, where('k2', bare.id), input))).toMatchObject({
      details: ['photos', 'commentaires', 'cloture'].map((field) => ({ field, code: 'only_of_a_case' })),
    })
  })

  it('loses its digest when the client is erased; a repetition then gets only the visit as its answer', async () => {
    const { sav, actor, storage, bruno, reach, where, now, rdv, sav_id } = await onSite()
    const bare = { ...now(), resultat: 'resolu' as const }
    await sav.field.done(bruno, where('k1'), bare)
    await sav.field.began(bruno, { ...where('none'), cle: null }, now())
    await sav.field.comment(bruno, { sav_id, reach, cle: 'k2' }, { texte: 'Prévoir un joint.' })
    const keys = ['k1', 'k2']
    const digests = async () =>
      Promise.all(
        keys.map(async (cle) => (await storage.reads.of(fieldStore).fact('default', bruno.id, cle))?.empreinte),
      )
    expect(await digests()).toEqual([expect.stringMatching(/^\w{16}\.\S{43}$/), expect.stringMatching(/\./)])
    await sav.directory.clients.erase(actor, rdv.client.id)
    expect(await digests()).toEqual(['', ''])
    expect(await sav.field.done(bruno, where('k1'), bare)).toMatchObject({ id: rdv.id, constat: null })
    expect((await sav.cases.get('default', sav_id)).interventions).toHaveLength(1)
    const again = sav.field.comment(bruno, { sav_id, reach, cle: 'k2' }, { texte: 'Prévoir un joint.' })
    expect(await refusal(again)).toMatchObject({ code: 'client_erased' })
  })

  it('is accepted with an implausible time', async () => {
    const { sav, bruno, where, sav_id } = await onSite()
    const survenu_a = '1970-01-01T00:00:00Z'
    expect(await sav.field.done(bruno, where('k1'), { survenu_a, ...done })).toMatchObject({ statut: 'realise' })
    expect((await sav.cases.get('default', sav_id)).interventions).toMatchObject([
      { survenu_a: '1970-01-01T00:00:00.000Z' },
    ])
  })
})

describe('an installer’s additions to cases', () => {
  it('include comments on their own cases, one for each Idempotency-Key', async () => {
    const { sav, bruno, reach, sav_id, addCase, clock } = await onSite()
    const adding = { sav_id, reach, cle: 'k1' }
    const first = await sav.field.comment(bruno, adding, { texte: 'Prévoir un joint.' })
    await clock.advance(2 * day)
    expect(await sav.field.comment(bruno, adding, { texte: 'Prévoir un joint.' })).toEqual(first)
    expect(await sav.cases.comments('default', sav_id, {})).toMatchObject({ items: [{ id: first.id }] })
    expect(await refusal(sav.field.comment(bruno, adding, { texte: 'Autre.' }))).toBeInstanceOf(
      IdempotencyMismatchError,
    )
    const foreign = { ...adding, sav_id: await addCase(), cle: 'k2' }
    expect(await refusal(sav.field.comment(bruno, foreign, { texte: 'x' }))).toMatchObject({ code: 'case_not_found' })
  })

  it('include taking back an absence that they reported, but not one that the office reported', async () => {
    const { sav, actor, bruno, reach, where, now, rdv } = await onSite()
    await sav.field.began(bruno, where('k1'), now())
    await sav.field.missed(bruno, where('k2'), now())
    const back = () => sav.field.takeBack(bruno, { rdv_id: rdv.id, reach }, { statut: 'planifie' })
    expect(await back()).toMatchObject({ statut: 'en_cours' })
    // Only an absence can be taken back.
    const confirm = sav.field.takeBack(bruno, { rdv_id: rdv.id, reach }, { statut: 'planifie' })
    expect(await refusal(confirm)).toMatchObject({ code: 'rdv_not_missed', params: { statut: 'en_cours' } })
    await sav.planning.change(actor, rdv.id, { statut: 'absent' })
    expect(await refusal(back())).toMatchObject({ code: 'rdv_not_missed', params: { statut: 'absent' } })
  })

  it('include booking their own slots in the future, even with an old token', async () => {
    const { sav, bruno, reach, rdv, sav_id, clock, helper } = await onSite()
    const slots = await sav.field.slots('default', reach, rdv.id, { duree: 60 })
    const slot = slots.at(-1)
    await clock.advance(3_600_000)
    expect(await sav.field.bookNext(bruno, reach, { jeton: slot?.jeton ?? '', sav_id })).toMatchObject({
      debut: slot?.debut,
    })
    const theirs = { poseur_id: helper.id }
    const foreign = sav.field.bookNext(bruno, theirs, { jeton: slots[0]?.jeton ?? '', sav_id })
    expect(await refusal(foreign)).toMatchObject({ details: [{ code: 'slot_token_foreign' }] })
    await clock.advance(Date.parse(slot?.fin ?? '') + 3_600_000 - clock.now())
    const [first] = await sav.field.slots('default', reach, rdv.id, { duree: 60 })
    await clock.advance(Date.parse(first?.debut ?? '') - clock.now())
    const past = sav.field.bookNext(bruno, reach, { jeton: first?.jeton ?? '', sav_id })
    expect(await refusal(past)).toMatchObject({ details: [{ field: 'jeton', code: 'slot_token_expired' }] })
  })
})
