import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { as, openSav } from '../../test/open-sav.js'
import type { Clock } from '../clock.js'
import {
  CaseAlreadyClosedError,
  CaseNotFoundError,
  ConflictError,
  NotFoundError,
  SavError,
  UnavailableError,
  ValidationError,
  VersionMismatchError,
} from '../errors.js'
import type { Storage } from '../storage.js'
import { memoryStorage } from '../testing/index.js'

const day = 86_400_000
const description = 'La porte du meuble bas ne ferme plus.'
const resolution = 'Charnière remplacée et porte réglée.'
const motif = 'La porte ferme mal à nouveau.'
const jpeg = Buffer.from('ffd8ffe000104a46494600010100', 'hex')
const otherJpeg = Buffer.from('ffd8ffe000104a46494600010200', 'hex')
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
const dataUri = (content: Uint8Array) => `data:image/jpeg;base64,${Buffer.from(content).toString('base64')}`

/** A service with one open case. */
async function withCase(fields: { readonly photos?: string[] } = {}) {
  const opened = await openSav()
  const created = await opened.sav.cases.create(opened.actor, { client_id: opened.client.id, description, ...fields })
  return { ...opened, ...created }
}

async function withClosedCase() {
  const opened = await withCase()
  const closed = await opened.sav.cases.close(opened.actor, opened.id, { resolution })
  return { ...opened, closed }
}

async function refusal(promise: Promise<unknown>): Promise<SavError> {
  const error = await promise.then(
    () => 'nothing was refused',
    (reason: unknown) => reason,
  )
  if (error instanceof SavError) return error
  throw error
}

/** The fields that a refusal names. */
async function badFields(promise: Promise<unknown>): Promise<string[]> {
  const error = await refusal(promise)
  if (error instanceof ValidationError) return error.details.map(({ field }) => field).toSorted()
  throw error
}

describe('creating a case', () => {
  it('answers with its id and reference, and keeps everything', async () => {
    const { sav, actor, client, clock } = await openSav()
    const created = await sav.cases.create(actor, {
      client_id: client.id,
      description: `  ${description}\n`,
      type_probleme: 'quincaillerie',
      priorite: 'haute',
      photos: [dataUri(jpeg), 'https://photos.example/1.jpg'],
    })
    expect(created).toEqual({ id: expect.any(Number), reference: 'SAV-2026-00001' })
    const at = new Date(clock.now()).toISOString()
    const detail = await sav.cases.get('default', created.id)
    expect(detail).toMatchObject({
      ...created,
      client: { id: client.id, nom: 'Durand', prenom: 'Alice' },
      description,
      statut: 'ouvert',
      priorite: 'haute',
      type_probleme: 'quincaillerie',
      date_creation: at,
      poseur_assigne: null,
      notes_internes: null,
      resolution: null,
      date_cloture: null,
      photo_avant: null,
      photo_apres: null,
      signature_client: null,
      reserves: [],
      preuve: [],
      interventions: [],
      version: 1,
    })
    expect(detail.photos).toEqual([
      { id: expect.any(String), sha256: sha256(jpeg) },
      { id: expect.any(String), url: 'https://photos.example/1.jpg' },
    ])
    expect(new Set(detail.photos.map(({ id }) => id)).size).toBe(2)
    expect(detail.historique).toEqual([
      {
        id: expect.any(Number),
        date: at,
        type: 'creation',
        acteur: { type: 'cle', id: 'key_1', nom: 'caisse' },
        champ: null,
        ancienne_valeur: null,
        nouvelle_valeur: null,
        commentaire: null,
      },
    ])
  })

  it('gives what the caller left out: normale, autre, no photos', async () => {
    const { sav, id } = await withCase()
    expect(await sav.cases.get('default', id)).toMatchObject({
      priorite: 'normale',
      type_probleme: 'autre',
      photos: [],
    })
  })

  it('numbers the cases of an account and a year without a gap, also when some are refused between', async () => {
    const { sav, actor, client, addAccount } = await openSav()
    const other = await addAccount('other')
    const create = (from: typeof actor, client_id: number) => sav.cases.create(from, { client_id, description })
    const references = [(await create(actor, client.id)).reference]
    await refusal(create(actor, client.id + 1000))
    expect((await create(other.actor, other.client.id)).reference).toBe('SAV-2026-00001')
    references.push((await create(actor, client.id)).reference)
    expect(references).toEqual(['SAV-2026-00001', 'SAV-2026-00002'])
  })

  it('many at once get consecutive numbers', async () => {
    const { sav, actor, client } = await openSav()
    const all = Array.from({ length: 50 }, () => sav.cases.create(actor, { client_id: client.id, description }))
    const references = (await Promise.all(all)).map(({ reference }) => reference)
    expect(references.toSorted()).toEqual(
      Array.from({ length: 50 }, (_, index) => `SAV-2026-${String(index + 1).padStart(5, '0')}`),
    )
  })

  it('begins anew at 1 with the New Year of the business, not that of UTC', async () => {
    const { sav, actor, client, clock } = await openSav()
    const references: string[] = []
    for (const at of ['2026-12-31T22:59:59.999Z', '2026-12-31T23:00:00.000Z', '2027-01-01T00:00:00.000Z']) {
      clock.set(Date.parse(at))
      references.push((await sav.cases.create(actor, { client_id: client.id, description })).reference)
    }
    expect(references).toEqual(['SAV-2026-00001', 'SAV-2027-00001', 'SAV-2027-00002'])
  })

  it('has the year of its date, though midnight may pass while it is made', async () => {
    const midnight = Date.parse('2026-12-31T23:00:00.000Z')
    let now = midnight - 60
    const ticking: Clock = { now: () => now++, after: () => () => {} }
    const { sav, actor, client } = await openSav({ clock: ticking })
    now = midnight - 60
    while (now < midnight + 20) {
      const { id, reference } = await sav.cases.create(actor, { client_id: client.id, description })
      const { date_creation } = await sav.cases.get('default', id)
      expect(reference.slice(4, 8)).toBe(Date.parse(date_creation) < midnight ? '2026' : '2027')
    }
  })

  it('for a client that does not exist, or is of another account, is refused alike', async () => {
    const { sav, actor, addAccount } = await openSav()
    const other = await addAccount('other')
    const foreign = await refusal(sav.cases.create(actor, { client_id: other.client.id, description }))
    const missing = await refusal(sav.cases.create(actor, { client_id: 999, description }))
    for (const error of [foreign, missing])
      expect(error instanceof ValidationError && error.details.map(({ field }) => field)).toEqual(['client_id'])
    expect(foreign.message.replace(`${other.client.id}`, 'N')).toBe(missing.message.replace('999', 'N'))
    expect(await sav.cases.list('default', {})).toMatchObject({ total: 0 })
  })

  it('names an unknown client beside every other bad field', async () => {
    const { sav, actor } = await openSav()
    const input = JSON.parse('{"client_id":999,"description":"court","priorite":"x","photo":[]}')
    expect(await badFields(sav.cases.create(actor, input))).toEqual(['client_id', 'description', 'photo', 'priorite'])
  })

  it('that is refused leaves nothing behind', async () => {
    const { sav, actor, client } = await openSav()
    await sav.webhooks.endpoints.add(as('default'), { url: 'https://receiver.example/', events: ['sav.created'] })
    await badFields(sav.cases.create(actor, { client_id: client.id, description: 'court', photos: [dataUri(jpeg)] }))
    expect(await sav.cases.list('default', {})).toMatchObject({ items: [], total: 0 })
    expect((await sav.webhooks.deliveries.list('default', {})).items).toEqual([])
  })

  it('leaves nothing behind when the store fails in the middle', async () => {
    const storage = memoryStorage()
    const failing: Storage = {
      ...storage,
      transaction: (work) =>
        storage.transaction((tx) =>
          work({
            ...tx,
            outbox: {
              ...tx.outbox,
              async add() {
                throw new UnavailableError('The disk is full.', { retryAfterSeconds: 1 })
              },
            },
          }),
        ),
    }
    const { sav, actor, client } = await openSav({ storage: failing })
    await expect(sav.cases.create(actor, { client_id: client.id, description })).rejects.toThrow(UnavailableError)
    expect(await storage.reads.cases.list('default', {}, { page: 1, limite: 50 })).toEqual({ items: [], total: 0 })
    const healthy = await openSavOn(storage)
    expect((await healthy.cases.create(actor, { client_id: client.id, description })).reference).toBe('SAV-2026-00001')
  })
})

describe('a store that has to run a transaction twice', () => {
  it('ends up as if it had run once', async () => {
    const storage = memoryStorage()
    const twice: Storage = {
      ...storage,
      async transaction(work) {
        const conflict = new Error('a conflict with another transaction')
        const first = storage.transaction(async (tx) => {
          await work(tx)
          throw conflict
        })
        await first.catch((error: unknown) => {
          if (error !== conflict) throw error
        })
        return storage.transaction(work)
      },
    }
    const { sav, actor, client } = await openSav({ storage: twice })
    await sav.webhooks.endpoints.add(as('default'), {
      url: 'https://receiver.example/',
      events: ['sav.created', 'sav.closed'],
    })
    const { id, reference } = await sav.cases.create(actor, { client_id: client.id, description })
    await sav.cases.update(actor, id, { priorite: 'haute' }, [1])
    const closed = await sav.cases.close(actor, id, { resolution, photo_avant: dataUri(jpeg) })
    expect([reference, closed.preuve.sequence]).toEqual(['SAV-2026-00001', 1])
    const { version, historique } = await sav.cases.get('default', id)
    expect([version, historique.length]).toEqual([3, 3])
    expect((await sav.webhooks.deliveries.list('default', {})).items).toHaveLength(2)
    expect(await sav.evidence.verify('default')).toEqual({ checked: 1, broken: [] })
  })
})

async function openSavOn(storage: Storage) {
  const { sav } = await openSav()
  return sav.inTransaction(storage)
}

describe('reading a case', () => {
  it('finds it by its id and by its reference', async () => {
    const { sav, id, reference } = await withCase()
    expect(await sav.cases.get('default', reference)).toEqual(await sav.cases.get('default', id))
  })

  it.each([0, -1, 999, 1.5, Number.NaN, 2 ** 53, 'SAV-2026-00002', 'SAV-2026-1', 'sav-2026-00001', '1', ''])(
    'finds none by %j',
    async (wanted) => {
      const { sav } = await withCase()
      await expect(sav.cases.get('default', wanted)).rejects.toThrow(CaseNotFoundError)
    },
  )

  it('gives a photo to who names its case, and to nobody else', async () => {
    const { sav, actor, client, id, addAccount } = await withCase({ photos: [dataUri(jpeg)] })
    await addAccount('other')
    const second = await sav.cases.create(actor, { client_id: client.id, description, photos: [dataUri(otherJpeg)] })
    const file = await sav.cases.file('default', id, sha256(jpeg))
    expect(file.media_type).toBe('image/jpeg')
    expect(Buffer.compare(file.content, jpeg)).toBe(0)
    for (const wanted of [
      sav.cases.file('default', second.id, sha256(jpeg)),
      sav.cases.file('default', id, sha256(otherJpeg)),
      sav.cases.file('default', 999, sha256(jpeg)),
      sav.cases.file('default', id, sha256(jpeg).toUpperCase()),
      sav.cases.file('default', id, '../secret.key'),
      sav.cases.file('other', id, sha256(jpeg)),
    ])
      expect(await refusal(wanted)).toBeInstanceOf(NotFoundError)
  })
})

describe('updating a case', () => {
  it('answers with the whole case, one version further, and tells each field in the history', async () => {
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

  it('leaves alone what is not named, and takes a poseur and notes away by null', async () => {
    const { sav, actor, id, poseur } = await withCase()
    await sav.cases.update(actor, id, { poseur_id: poseur.id, notes_internes: 'Rappeler.' })
    expect(await sav.cases.update(actor, id, { priorite: 'basse' })).toMatchObject({
      poseur_assigne: { id: poseur.id },
      notes_internes: 'Rappeler.',
    })
    expect(await sav.cases.update(actor, id, { poseur_id: null, notes_internes: null })).toMatchObject({
      poseur_assigne: null,
      notes_internes: null,
    })
  })

  it('to what it is already changes nothing: no version, no history', async () => {
    const { sav, actor, id } = await withCase()
    const before = await sav.cases.get('default', id)
    expect(await sav.cases.update(actor, id, { statut: 'ouvert', priorite: 'normale', poseur_id: null })).toEqual(
      before,
    )
    expect(await sav.cases.get('default', id)).toEqual(before)
  })

  it('cannot close it, nor change a closed one but for its notes', async () => {
    const { sav, actor, id } = await withCase()
    await expect(sav.cases.update(actor, id, { statut: 'clos' })).rejects.toThrow(ConflictError)
    await sav.cases.close(actor, id, { resolution })
    for (const input of [
      { statut: 'ouvert' },
      { statut: 'en_cours' },
      { priorite: 'haute' },
      { poseur_id: null, priorite: 'basse' },
    ] as const)
      await expect(sav.cases.update(actor, id, input)).rejects.toThrow(ConflictError)
    const noted = await sav.cases.update(actor, id, { notes_internes: 'Client content.' })
    expect(noted).toMatchObject({ statut: 'clos', notes_internes: 'Client content.', version: 3, resolution })
  })

  it('assigns an active poseur of the account only', async () => {
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

  it('names an unknown poseur beside every other bad field', async () => {
    const { sav, actor, id } = await withCase()
    const input = JSON.parse('{"poseur_id":999,"priorite":"x","note":"y"}')
    expect(await badFields(sav.cases.update(actor, id, input))).toEqual(['note', 'poseur_id', 'priorite'])
  })

  it('is refused when the caller has read another version', async () => {
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

  it('by two at once with the same version succeeds for one', async () => {
    const { sav, actor, id } = await withCase()
    const results = await Promise.allSettled(
      (['haute', 'basse', 'urgente'] as const).map((priorite) => sav.cases.update(actor, id, { priorite }, [1])),
    )
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })
})

describe('closing a case', () => {
  it('answers with the hash and the place in the chain, and says that no report is configured', async () => {
    const { sav, actor, id, reference, clock } = await withCase()
    await clock.advance(1_000)
    const closed = await sav.cases.close(actor, id, { resolution })
    expect(closed).toEqual({
      id,
      reference,
      statut: 'clos',
      date_cloture: new Date(clock.now()).toISOString(),
      hash_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      preuve: { sequence: 1, hash_entree: expect.stringMatching(/^[0-9a-f]{64}$/) },
      pv: { statut: 'non_configure' },
    })
  })

  it('shows in the detail what was said, with its images and its evidence', async () => {
    const { sav, actor, id } = await withCase()
    const closed = await sav.cases.close(actor, id, {
      resolution,
      photo_avant: dataUri(jpeg),
      photo_apres: dataUri(otherJpeg),
      signataire_nom: 'A. Durand',
      reserves: ['Rayure.', 'Joint.'],
    })
    const detail = await sav.cases.get('default', id)
    expect(detail).toMatchObject({
      statut: 'clos',
      resolution,
      date_cloture: closed.date_cloture,
      photo_avant: sha256(jpeg),
      photo_apres: sha256(otherJpeg),
      signature_client: null,
      signataire_nom: 'A. Durand',
      reserves: ['Rayure.', 'Joint.'],
      pv: { statut: 'non_configure' },
      version: 2,
    })
    expect(detail.preuve).toEqual([
      {
        sequence: 1,
        date: closed.date_cloture,
        hash_sha256: closed.hash_sha256,
        hash_entree: closed.preuve.hash_entree,
      },
    ])
    expect(detail.historique.at(-1)).toMatchObject({
      type: 'cloture',
      date: closed.date_cloture,
      champ: 'statut',
      ancienne_valeur: 'ouvert',
      nouvelle_valeur: 'clos',
    })
    expect((await sav.cases.file('default', id, sha256(otherJpeg))).media_type).toBe('image/jpeg')
  })

  it('works from either state', async () => {
    const { sav, actor, id } = await withCase()
    await sav.cases.update(actor, id, { statut: 'en_cours' })
    await sav.cases.close(actor, id, { resolution })
    expect((await sav.cases.get('default', id)).historique.at(-1)).toMatchObject({ ancienne_valeur: 'en_cours' })
  })

  it('a second time is refused with the hash that stands, and changes nothing', async () => {
    const { sav, actor, id, closed } = await withClosedCase()
    const before = await sav.cases.get('default', id)
    const second = await refusal(sav.cases.close(actor, id, { resolution: 'Une tout autre résolution.' }))
    expect(second).toBeInstanceOf(CaseAlreadyClosedError)
    expect(second).toMatchObject({ hash_sha256: closed.hash_sha256 })
    expect(await sav.cases.get('default', id)).toEqual(before)
  })

  it('by two at once succeeds for one, and the other is told its hash', async () => {
    const { sav, actor, id } = await withCase()
    const [first, second] = await Promise.allSettled([
      sav.cases.close(actor, id, { resolution }),
      sav.cases.close(actor, id, { resolution }),
    ])
    const won = first.status === 'fulfilled' ? first.value : second.status === 'fulfilled' ? second.value : undefined
    const lost = first.status === 'rejected' ? first.reason : second.status === 'rejected' ? second.reason : undefined
    expect(lost).toBeInstanceOf(CaseAlreadyClosedError)
    expect(lost).toMatchObject({ hash_sha256: won?.hash_sha256 })
  })

  it('of many at once keeps one unbroken chain', async () => {
    const { sav, actor, client } = await openSav()
    const ids: number[] = []
    for (let count = 0; count < 20; count += 1)
      ids.push((await sav.cases.create(actor, { client_id: client.id, description })).id)
    const closed = await Promise.all(ids.map((id) => sav.cases.close(actor, id, { resolution })))
    expect(closed.map(({ preuve }) => preuve.sequence).toSorted((a, b) => a - b)).toEqual(
      ids.map((_, index) => index + 1),
    )
    expect(await sav.evidence.verify('default')).toEqual({ checked: 20, broken: [] })
  })

  it('needs a signature where the account demands one', async () => {
    const { sav, actor, id } = await withCase()
    await sav.accounts.update(as('default'), { signature_requise: true })
    expect(await badFields(sav.cases.close(actor, id, { resolution }))).toEqual(['signature_client'])
    expect(await sav.cases.get('default', id)).toMatchObject({ statut: 'ouvert', version: 1, preuve: [] })
    await sav.accounts.update(as('default'), { signature_requise: false })
    await sav.cases.close(actor, id, { resolution })
  })

  it('names a demanded signature beside every other bad field', async () => {
    const { sav, actor, id } = await withCase()
    await sav.accounts.update(as('default'), { signature_requise: true })
    expect(await badFields(sav.cases.close(actor, id, { resolution: 'court' }))).toEqual([
      'resolution',
      'signature_client',
    ])
  })
})

describe('reopening a case', () => {
  it('takes away what the close had added, and keeps it in evidence and history', async () => {
    const { sav, actor, id, closed } = await withClosedCase()
    const reopened = await sav.cases.reopen(actor, id, { motif })
    expect(reopened).toMatchObject({
      statut: 'en_cours',
      resolution: null,
      date_cloture: null,
      photo_avant: null,
      photo_apres: null,
      signature_client: null,
      signataire_nom: null,
      reserves: [],
      pv: null,
      version: 3,
    })
    expect(reopened).toEqual(await sav.cases.get('default', id))
    expect(reopened.preuve.map(({ hash_sha256 }) => hash_sha256)).toEqual([closed.hash_sha256])
    expect(reopened.historique.at(-1)).toMatchObject({
      type: 'reouverture',
      champ: 'statut',
      ancienne_valeur: 'clos',
      nouvelle_valeur: 'en_cours',
      commentaire: motif,
    })
    expect(JSON.stringify(reopened.historique)).toContain(resolution)
    expect((await sav.cases.proof('default', id)).snapshot).toContain(resolution)
  })

  it('and closing again adds a second entry to the chain', async () => {
    const { sav, actor, id, closed, clock } = await withClosedCase()
    await sav.cases.reopen(actor, id, { motif })
    await clock.advance(1_000)
    const again = await sav.cases.close(actor, id, { resolution: 'Charnière remplacée à nouveau.' })
    expect(again.preuve.sequence).toBe(2)
    expect(again.hash_sha256).not.toBe(closed.hash_sha256)
    const { preuve } = await sav.cases.get('default', id)
    expect(preuve.map(({ sequence }) => sequence)).toEqual([1, 2])
    expect(await refusal(sav.cases.close(actor, id, { resolution }))).toMatchObject({ hash_sha256: again.hash_sha256 })
    expect(await sav.evidence.verify('default')).toEqual({ checked: 2, broken: [] })
  })

  it('is for closed cases: any other is refused, and told its status', async () => {
    const { sav, actor, id } = await withCase()
    await expect(sav.cases.reopen(actor, id, { motif })).rejects.toThrow(ConflictError)
    await expect(sav.cases.reopen(actor, id, { motif })).rejects.toThrow(/ouvert/)
    await sav.cases.close(actor, id, { resolution })
    await sav.cases.reopen(actor, id, { motif })
    await expect(sav.cases.reopen(actor, id, { motif })).rejects.toThrow(/en_cours/)
  })

  it('keeps the images of the first close within reach', async () => {
    const { sav, actor, id } = await withCase()
    await sav.cases.close(actor, id, { resolution, photo_avant: dataUri(jpeg) })
    await sav.cases.reopen(actor, id, { motif })
    expect((await sav.cases.file('default', id, sha256(jpeg))).media_type).toBe('image/jpeg')
  })
})

describe('the proof of a close', () => {
  it('is whole: the snapshot hashes to what the close answered, and its neighbours in the chain stand beside it', async () => {
    const { sav, actor, client, id, closed } = await withClosedCase()
    const second = await sav.cases.create(actor, { client_id: client.id, description })
    await sav.cases.close(actor, second.id, { resolution })
    const proof = await sav.cases.proof('default', id)
    expect(proof.hash_sha256).toBe(closed.hash_sha256)
    expect(sha256(Buffer.from(proof.snapshot ?? ''))).toBe(closed.hash_sha256)
    expect(proof.entree).toMatchObject({
      version: 1,
      account: 'default',
      sequence: 1,
      reference: closed.reference,
      date: closed.date_cloture,
      hash_dossier: closed.hash_sha256,
      hash_precedent: '0'.repeat(64),
      hash_entree: closed.preuve.hash_entree,
    })
    expect(proof.precedente).toBeNull()
    expect(proof.suivante).toMatchObject({ sequence: 2, hash_precedent: closed.preuve.hash_entree })
    expect(await sav.cases.proof('default', second.id)).toMatchObject({ precedente: { sequence: 1 }, suivante: null })
  })

  it('is that of the latest close unless an earlier one is named', async () => {
    const { sav, actor, id, closed, clock } = await withClosedCase()
    await sav.cases.reopen(actor, id, { motif })
    await clock.advance(1_000)
    const again = await sav.cases.close(actor, id, { resolution })
    const [latest, earlier] = [await sav.cases.proof('default', id), await sav.cases.proof('default', id, 1)]
    expect([latest.hash_sha256, latest.entree.sequence]).toEqual([again.hash_sha256, 2])
    expect([earlier.hash_sha256, earlier.entree.sequence]).toEqual([closed.hash_sha256, 1])
  })

  it('does not exist before the first close, nor under the sequence of another case', async () => {
    const { sav, actor, client, id } = await withCase()
    await expect(sav.cases.proof('default', id)).rejects.toThrow(NotFoundError)
    const second = await sav.cases.create(actor, { client_id: client.id, description })
    await sav.cases.close(actor, second.id, { resolution })
    await expect(sav.cases.proof('default', id, 1)).rejects.toThrow(NotFoundError)
    await expect(sav.cases.proof('default', second.id, 2)).rejects.toThrow(NotFoundError)
  })
})

describe('a case of another account', () => {
  it('is like one that does not exist, whatever is asked of it', async () => {
    const { sav, addAccount, id, closed } = await withClosedCase()
    const { actor } = await addAccount('other')
    const asked = (wanted: number) => [
      sav.cases.get('other', wanted),
      sav.cases.update(actor, wanted, { priorite: 'haute' }),
      sav.cases.update(actor, wanted, { priorite: 'haute' }, [1]),
      sav.cases.close(actor, wanted, { resolution }),
      sav.cases.reopen(actor, wanted, { motif }),
      sav.cases.proof('other', wanted),
      sav.cases.proof('other', wanted, 1),
    ]
    const answers = async (wanted: number) => {
      const errors = await Promise.all(asked(wanted).map(refusal))
      return errors.map(({ name, message }) => `${name} ${message.replace(`${wanted}`, 'N')}`)
    }
    expect(await answers(id)).toEqual(await answers(999_999))
    for (const error of await Promise.all(asked(id).map(refusal))) expect(error).toBeInstanceOf(CaseNotFoundError)
    await expect(sav.cases.get('other', closed.reference)).rejects.toThrow(CaseNotFoundError)
    expect(await sav.cases.list('other', {})).toMatchObject({ total: 0 })
    expect(await sav.cases.get('default', id)).toMatchObject({ version: 2 })
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
    expect(rest).toEqual({ total: 4, page: 1, limite: 50 })
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
    })
    expect(items[0]?.poseur_assigne).toBeNull()
  })

  it('shows those of the same instant by their ids, the last one first', async () => {
    const { sav, actor, client } = await openSav()
    const ids: number[] = []
    for (let count = 0; count < 3; count += 1)
      ids.push((await sav.cases.create(actor, { client_id: client.id, description })).id)
    expect((await sav.cases.list('default', {})).items.map(({ id }) => id)).toEqual(ids.toReversed())
  })

  it('filters by every field, and by several at once', async () => {
    const { listed, a, b, c, d, client, second, poseur } = await withCases()
    expect(await listed({ statut: 'ouvert' })).toEqual([d, a])
    expect(await listed({ statut: 'en_cours' })).toEqual([b])
    expect(await listed({ statut: 'clos' })).toEqual([c])
    expect(await listed({ client_id: client.id })).toEqual([c, a])
    expect(await listed({ client_id: second.id, statut: 'ouvert' })).toEqual([d])
    expect(await listed({ poseur_id: poseur.id })).toEqual([b])
    expect(await listed({ priorite: 'haute' })).toEqual([c, b])
    expect(await listed({ type_probleme: 'facade' })).toEqual([c, a])
    expect(await listed({ type_probleme: 'facade', priorite: 'haute', statut: 'clos', client_id: client.id })).toEqual([
      c,
    ])
    expect(await listed({ client_id: 999 })).toEqual([])
  })

  it('since a day includes that whole day, as the business has it', async () => {
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

  it.each(['0001-01-01', '0050-06-01', '9999-12-31'])('depuis %s is answered, however far away', async (depuis) => {
    const { sav } = await withCases()
    expect(await sav.cases.list('default', { depuis })).toMatchObject({ total: depuis < '2026' ? 4 : 0 })
  })

  it('modifie_depuis finds what changed at or after an instant or since a day began', async () => {
    const { listed, clock, b, c, d } = await withCases()
    // b and c changed four days after the first creation, at the same moment as nothing else.
    const changedAt = clock.now()
    expect(await listed({ modifie_depuis: new Date(changedAt).toISOString() })).toEqual([c, b])
    expect(await listed({ modifie_depuis: new Date(changedAt + 1).toISOString() })).toEqual([])
    expect(await listed({ modifie_depuis: '2026-01-19T11:30:00+01:00' })).toEqual([c, b])
    expect(await listed({ modifie_depuis: '2026-01-18' })).toEqual([d, c, b])
  })

  it('recherche finds every word, in any case and without accents', async () => {
    const { listed, a, b, c, d } = await withCases()
    expect(await listed({ recherche: 'FACADE chene' })).toEqual([a])
    expect(await listed({ recherche: 'Évier' })).toEqual([d])
    expect(await listed({ recherche: 'zoe' })).toEqual([d, b])
    expect(await listed({ recherche: 'durand porte' })).toEqual([c])
    expect(await listed({ recherche: 'sav-2026-00002' })).toEqual([b])
    expect(await listed({ recherche: 'porte chêne' })).toEqual([])
    await expect(listed({ recherche: '%' })).rejects.toMatchObject({ details: [{ field: 'recherche' }] })
  })

  it('goes page by page, with the true total on each', async () => {
    const { sav, a, b, c, d } = await withCases()
    const page = async (number: number) => {
      const { items, total } = await sav.cases.list('default', { limite: 3, page: number })
      return [items.map(({ id }) => id), total]
    }
    expect(await page(1)).toEqual([[d, c, b], 4])
    expect(await page(2)).toEqual([[a], 4])
    expect(await page(3)).toEqual([[], 4])
    expect(await page(1_000_000)).toEqual([[], 4])
    expect(await sav.cases.list('default', { statut: 'clos', page: 2 })).toMatchObject({ items: [], total: 1 })
  })

  it('refuses bad parameters, all of them named', async () => {
    const { sav } = await openSav()
    const input = JSON.parse('{"limite":201,"page":0,"statut":"ferme","depuis":"hier","tri":"id"}')
    expect(await badFields(sav.cases.list('default', input))).toEqual(['depuis', 'limite', 'page', 'statut', 'tri'])
  })
})
