import { describe, expect, it } from 'vitest'
import {
  badFields,
  dataUri,
  day,
  description,
  jpeg,
  otherJpeg,
  refusal,
  resolution,
  sha256,
  withCase,
} from '../../test/case-samples.js'
import { as, openSav } from '../../test/open-sav.js'
import { CaseNotFoundError, NotFoundError, VersionMismatchError } from '../errors.js'

describe('reading a case', () => {
  it('finds it by its id and by its reference', async () => {
    const { sav, id, reference } = await withCase()
    expect(await sav.cases.get('default', reference)).toEqual(await sav.cases.get('default', id))
  })

  it.each([0, -1, 999, 1.5, Number.NaN, 2 ** 53, 'SAV-2026-00002', 'SAV-2026-1', 'sav-2026-00001', '1', ''])(
    'finds no case by %j',
    async (wanted) => {
      const { sav } = await withCase()
      await expect(sav.cases.get('default', wanted)).rejects.toThrow(CaseNotFoundError)
    },
  )

  it('returns a photo only for its own case', async () => {
    const { sav, actor, client, id, addAccount } = await withCase({ photos: [dataUri(jpeg)] })
    await addAccount('other')
    const second = await sav.cases.create(actor, { client_id: client.id, description, photos: [dataUri(otherJpeg)] })
    const file = await sav.cases.file('default', id, sha256(jpeg))
    expect(file.media_type).toBe('image/jpeg')
    expect(Buffer.compare(file.content, jpeg)).toBe(0)
    const calls = [
      sav.cases.file('default', second.id, sha256(jpeg)),
      sav.cases.file('default', id, sha256(otherJpeg)),
      sav.cases.file('default', 999, sha256(jpeg)),
      sav.cases.file('default', id, sha256(jpeg).toUpperCase()),
      sav.cases.file('default', id, '../secret.key'),
      sav.cases.file('other', id, sha256(jpeg)),
    ]
    for (const error of await Promise.all(calls.map(refusal))) expect(error).toBeInstanceOf(NotFoundError)
  })
})

describe('updating a case', () => {
  it('returns the whole case at its next version, and adds each field to the history', async () => {
    const { sav, actor, id, poseur, clock } = await withCase()
    await clock.advance(1_000)
    const at = new Date(clock.now()).toISOString()
    const updated = await sav.cases.update(actor, id, {
      statut: 'en_cours',
      poseur_id: poseur.id,
      notes_internes: 'Rappeler.',
      priorite: 'urgente',
      type_probleme: 'facade',
    })
    expect(updated).toMatchObject({
      statut: 'en_cours',
      poseur_assigne: { id: poseur.id, nom: 'Bruno Petit' },
      notes_internes: 'Rappeler.',
      priorite: 'urgente',
      type_probleme: 'facade',
      version: 2,
    })
    expect(updated).toEqual(await sav.cases.get('default', id))
    const changes = updated.historique.slice(1)
    expect(
      changes.every(({ date, type, acteur }) => date === at && type === 'modification' && acteur.id === 'key_1'),
    ).toBe(true)
    expect(
      changes
        .map(({ champ, ancienne_valeur, nouvelle_valeur }) => [champ, ancienne_valeur, nouvelle_valeur])
        .toSorted(),
    ).toEqual([
      ['notes_internes', null, 'Rappeler.'],
      ['poseur_id', null, poseur.id],
      ['priorite', 'normale', 'urgente'],
      ['statut', 'ouvert', 'en_cours'],
      ['type_probleme', 'autre', 'facade'],
    ])
  })

  it('assigns only an active poseur of the account', async () => {
    const { sav, actor, id, poseur, addAccount } = await withCase()
    const other = await addAccount('other')
    await sav.directory.poseurs.update(as('default'), poseur.id, { actif: false })
    for (const poseur_id of [poseur.id, other.poseur.id, 999])
      expect(await badFields(sav.cases.update(actor, id, { poseur_id }))).toEqual(['poseur_id'])
    expect(await sav.cases.get('default', id)).toMatchObject({ poseur_assigne: null, version: 1 })
    await sav.directory.poseurs.update(as('default'), poseur.id, { actif: true })
    expect(await sav.cases.update(actor, id, { poseur_id: poseur.id })).toMatchObject({
      poseur_assigne: { id: poseur.id },
    })
  })

  it('is refused if the caller has read another version', async () => {
    const { sav, actor, id } = await withCase()
    await sav.cases.update(actor, id, { priorite: 'haute' }, [1])
    const stale = await refusal(sav.cases.update(actor, id, { priorite: 'basse' }, [1]))
    expect(stale).toBeInstanceOf(VersionMismatchError)
    expect(stale.message).toContain('version 2')
    expect(await sav.cases.get('default', id)).toMatchObject({ priorite: 'haute', version: 2 })
    await refusal(sav.cases.update(actor, id, { priorite: 'haute' }, [1]))
    await refusal(sav.cases.update(actor, id, { priorite: 'basse' }, []))
    expect(await sav.cases.update(actor, id, { priorite: 'basse' }, [1, 2])).toMatchObject({ version: 3 })
  })
})

describe('listing cases', () => {
  /** Four cases, a day apart: at 10:30 UTC from 2026-01-15 on. */
  async function withCases() {
    const opened = await openSav()
    const { sav, actor, client, poseur, clock } = opened
    const second = await sav.directory.clients.add(as('default'), { nom: 'Moreau', prenom: 'Zoé' })
    const ids: number[] = []
    for (const [client_id, type_probleme, priorite, text] of [
      [client.id, 'facade', 'basse', 'La façade en chêne s’écaille.'],
      [second.id, 'reglage', 'haute', 'Le tiroir du haut frotte à gauche.'],
      [client.id, 'facade', 'haute', 'La porte du four ne ferme plus.'],
      [second.id, 'autre', 'normale', 'Il manque une plinthe sous l’évier.'],
    ] as const) {
      ids.push((await sav.cases.create(actor, { client_id, type_probleme, priorite, description: text })).id)
      await clock.advance(day)
    }
    const [a = 0, b = 0, c = 0, d = 0] = ids
    await sav.cases.update(actor, b, { statut: 'en_cours', poseur_id: poseur.id })
    await sav.cases.close(actor, c, { resolution })
    const listed = async (input: Parameters<typeof sav.cases.list>[1]) =>
      (await sav.cases.list('default', input)).items.map(({ id }) => id)
    return { ...opened, second, a, b, c, d, listed }
  }

  it('shows the newest first, in the shape of the specification', async () => {
    const { sav, a, b, c, d, poseur, second } = await withCases()
    const { items, ...rest } = await sav.cases.list('default', {})
    expect(rest).toEqual({ total: 4, page: 1, limite: 50, curseur: null })
    expect(items.map(({ id }) => id)).toEqual([d, c, b, a])
    expect(items[2]).toEqual({
      id: b,
      reference: 'SAV-2026-00002',
      client: { id: second.id, nom: 'Moreau', prenom: 'Zoé' },
      description: 'Le tiroir du haut frotte à gauche.',
      statut: 'en_cours',
      priorite: 'haute',
      date_creation: '2026-01-16T10:30:00.000Z',
      poseur_assigne: { id: poseur.id, nom: 'Bruno Petit' },
      ville: null,
      telephone: null,
    })
    expect(items[0]?.poseur_assigne).toBeNull()
  })

  it('depuis with a day includes that whole local day', async () => {
    const { sav, listed, actor, client, clock, a, b, c, d } = await withCases()
    expect(await listed({ depuis: '2026-01-16' })).toEqual([d, c, b])
    expect(await listed({ depuis: '2026-01-15' })).toEqual([d, c, b, a])
    expect(await listed({ depuis: '2026-01-19' })).toEqual([])
    const around: number[] = []
    for (const at of ['2026-02-09T22:59:59.999Z', '2026-02-09T23:00:00.000Z']) {
      clock.set(Date.parse(at))
      around.push((await sav.cases.create(actor, { client_id: client.id, description })).id)
    }
    expect(await listed({ depuis: '2026-02-10' })).toEqual([around[1]])
    expect(await listed({ depuis: '2026-02-09' })).toEqual(around.toReversed())
    expect(await listed({ modifie_depuis: '2026-02-10' })).toEqual([around[1]])
  })

  it.each(['0001-01-01', '0050-06-01', '9999-12-31'])('depuis may be as far away as %s', async (depuis) => {
    const { sav } = await withCases()
    expect(await sav.cases.list('default', { depuis })).toMatchObject({ total: depuis < '2026' ? 4 : 0 })
  })

  it('modifie_depuis finds changes at or after an instant or a day', async () => {
    const { listed, clock, b, c, d } = await withCases()
    // b and c changed at this moment, four days after the first creation. No other case changed then.
    const changedAt = clock.now()
    expect(await listed({ modifie_depuis: new Date(changedAt).toISOString() })).toEqual([c, b])
    expect(await listed({ modifie_depuis: new Date(changedAt + 1).toISOString() })).toEqual([])
    expect(await listed({ modifie_depuis: '2026-01-19T11:30:00+01:00' })).toEqual([c, b])
    expect(await listed({ modifie_depuis: '2026-01-18' })).toEqual([d, c, b])
  })
})
