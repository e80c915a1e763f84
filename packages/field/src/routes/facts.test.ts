import { describe, expect, it } from 'vitest'
import { browserOn, signIn } from '../../../http-node/test/browser.js'
import { as } from '../../../http-node/test/composed.js'
import { onSqlite, served } from '../../../http-node/test/service.js'
import { tokenOf } from '../../../people/test/people.js'

const origin = 'https://sav.petit.example'
const actor = as('default')
const facts = {
  debut: {},
  absent: { compte_rendu: 'Volets clos.' },
  retard: { minutes: 30 },
  intervention: { resultat: 'partiel', compte_rendu: 'Charnière à commander.' },
}
const each = Object.entries(facts).map(([what, body]) => ({ what, body }))

describe('reports of installers', async () => {
  const { service, door } = await served(onSqlite.open, await onSqlite.store(), { publicUrl: origin })
  const bruno = (await installer('Bruno Petit', service.poseur_id)).browser
  const karim = await installer('Karim Benali')
  let days = 0

  async function installer(nom: string, known?: number) {
    const { sav } = service
    const poseur_id = known ?? (await sav.directory.poseurs.add(actor, { nom })).id
    const email = `${nom.slice(0, 5).toLowerCase()}@petit.example`
    const { id } = await sav.users.add(actor, { nom, email, role: 'poseur', poseur_id })
    const browser = browserOn(door, service, origin)
    await browser.send('POST', '/app/session/invitation', { token: tokenOf(await sav.users.invite(actor, id)) })
    return { browser, poseur_id }
  }
  async function visit(poseur_id = service.poseur_id, { withCase = true } = {}) {
    days += 1
    const { sav, client_id } = service
    const description = 'La porte du four racle encore.'
    const sav_id = withCase ? (await sav.cases.create(actor, { client_id, description })).id : 0
    const about = withCase ? { sav_id } : { client_id }
    const debut = new Date(Date.UTC(2026, 2, 16 + days, 8)).toISOString()
    const { id, version } = await sav.planning.book(actor, { ...about, poseur_id, debut, duree_minutes: 60 })
    return { id, sav_id, version, path: (what: string) => `/api/v1/planning/${id}/${what}` }
  }
  const claim = () => ({ survenu_a: new Date(service.clock.now()).toISOString(), decalage_ms: 0 })
  const stateOf = async (id: number) => {
    const rdv = await service.sav.planning.get('default', id)
    const lines = rdv.sav && (await service.sav.cases.get('default', rdv.sav.id)).historique.length
    return { rdv, lines }
  }

  it.each(each)('are accepted for their own visits: $what', async ({ what, body }) => {
    const { id, path, version } = await visit()
    const answer = await bruno.send(
      'POST',
      path(what),
      { ...claim(), ...body, version },
      { 'idempotency-key': `k${what}` },
    )
    expect([answer.status, answer.json.data]).toMatchObject([200, { id, constat: null }])
  })

  it('on another installer’s visit or case get the same answer as on an unknown one', async () => {
    const sha256 = 'a'.repeat(64)
    const { intervention } = facts
    const visits = [
      ...each.map(({ what, body }) => ['POST', `planning/{rdv}/${what}`, { ...claim(), ...body }] as const),
      ...[
        { commentaires: ['Prévoir un joint.'], photos: [{ sha256, moment: 'avant' }] },
        { cloture: { resolution: 'Charnière remplacée.', signature: sha256 } },
        { pieces: [{ designation: 'Charnière', quantite: 1 }], prochain: { jeton: 'none' } },
      ].map((more) => ['POST', 'planning/{rdv}/intervention', { ...claim(), ...intervention, ...more }] as const),
      ['PATCH', 'planning/{rdv}', { statut: 'planifie' }] as const,
      ['GET', 'terrain/rdv/{rdv}/creneaux?duree=60', undefined] as const,
      ['POST', 'sav/{sav}/commentaires', { texte: 'Prévoir un joint.' }] as const,
      ['GET', `terrain/dossiers/{sav}/fichiers/${sha256}`, undefined] as const,
      ['GET', 'terrain/dossiers/{sav}/pv', undefined] as const,
    ]
    const slots = await bruno.get(`/api/v1/terrain/rdv/${(await visit()).id}/creneaux?duree=60`)
    const { jeton } = slots.json.data[0]
    const booking = (sav_id: number) => ['POST', 'planning/rdv', { jeton, sav_id }] as const
    for (const withCase of [true, false]) {
      const theirs = await visit(karim.poseur_id, { withCase })
      const before = await stateOf(theirs.id)
      const sav_id = withCase ? theirs.sav_id : (await visit(karim.poseur_id)).sav_id
      const pairs = [...visits.map((call) => [call, call] as const), [booking(sav_id), booking(999_999_999)] as const]
      for (const [found, none] of pairs) {
        const ask = async ([method, path, body]: typeof found, ids: { readonly rdv: number; readonly sav: number }) => {
          const at = `/api/v1/${path.replace('{rdv}', `${ids.rdv}`).replace('{sav}', `${ids.sav}`)}`
          const { status, json } = await (method === 'GET' ? bruno.get(at) : bruno.send(method, at, body))
          return [status, json.code]
        }
        const foreign = await ask(found, { rdv: theirs.id, sav: sav_id })
        const missing = await ask(none, { rdv: 999_999_999, sav: 999_999_999 })
        expect([found, foreign[0], foreign]).toEqual([found, 404, missing])
      }
      expect(await stateOf(theirs.id)).toEqual(before)
    }
  })

  it.each(each)(
    'are refused without the permission, without a session, or if sent by another site: $what',
    async ({ what, body }) => {
      const { id, path } = await visit()
      const before = await stateOf(id)
      const told = { ...claim(), ...body }
      for (const role of ['atelier', 'gestion', 'lecture'] as const) {
        const office = browserOn(door, service, origin)
        await signIn(office, service, role)
        const answer = await office.send('POST', path(what), told)
        expect([role, answer.status, answer.json.required]).toEqual([role, 403, 'terrain'])
      }
      const headers = service.auth({ authorization: `Bearer ${await service.key(['planning:write', 'sav:close'])}` })
      const byKey = await door.call('POST', path(what), { headers, body: JSON.stringify(told) })
      const otherSite = await bruno.send('POST', path(what), told, { origin: 'https://elsewhere.example' })
      const nobody = await browserOn(door, service, origin).send('POST', path(what), told)
      expect([byKey.status, otherSite.status, nobody.status]).toEqual([403, 403, 401])
      expect(await stateOf(id)).toEqual(before)
    },
  )

  it('get the same answer when repeated, but are refused with another body under the same key', async () => {
    const { id, sav_id, path, version } = await visit()
    const told = { ...claim(), ...facts.intervention, version }
    const key = { 'idempotency-key': 'the same' }
    const first = await bruno.send('POST', path('intervention'), told, key)
    const again = await bruno.send('POST', path('intervention'), told, key)
    const other = await bruno.send('POST', path('intervention'), { ...told, resultat: 'resolu' }, key)
    expect([first.status, again.status, other.status]).toEqual([200, 200, 422])
    expect(again.text).toBe(first.text)
    const { interventions } = await service.sav.cases.get('default', sav_id)
    expect(interventions.map(({ rdv_id }) => rdv_id)).toEqual([id])
  })

  it('do not give their callers the rest of the planning', async () => {
    const { id, sav_id } = await visit()
    const moved = await bruno.send('PATCH', `/api/v1/planning/${id}`, { debut: '2026-03-30T08:00:00Z' })
    const cancelled = await bruno.send('PATCH', `/api/v1/planning/${id}`, { statut: 'annule' })
    const own = (await bruno.get('/api/v1/terrain')).json.data
    expect(own.rdv.map((rdv: { poseur: { id: number } }) => rdv.poseur.id)).toEqual(
      own.rdv.map(() => service.poseur_id),
    )
    const read = ['/api/v1/planning', `/api/v1/sav/${sav_id}`, '/api/v1/clients', '/api/v1/sav']
    const statuses = await Promise.all(read.map(async (path) => (await bruno.get(path)).status))
    expect(statuses).toEqual(read.map(() => 403))
    expect([moved.status, cancelled.status]).toEqual([422, 409])
    expect((await stateOf(id)).rdv.statut).toBe('planifie')
  })
})
