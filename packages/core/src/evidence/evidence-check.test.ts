import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replacing } from '../../../planning/test/replacing.js'
import { description, motif, resolution } from '../../test/case-samples.js'
import { type Link, withChain } from '../../test/chain-samples.js'
import { as, openSav } from '../../test/open-sav.js'
import type { CaseClose } from '../cases/case.js'
import type { CaseChanges } from '../cases/case-store.js'

type Chain = Awaited<ReturnType<typeof withChain>>

describe('an untouched chain', () => {
  it('is valid as a whole and for each case', async () => {
    const { sav, a, b, open } = await withChain()
    expect(await sav.evidence.verify('default')).toEqual({ checked: 4, broken: [] })
    expect(await sav.evidence.verify('default', { case_id: a })).toEqual({ checked: 1, broken: [] })
    expect(await sav.evidence.verify('default', { case_id: b })).toEqual({ checked: 2, broken: [] })
    expect(await sav.evidence.verify('default', { case_id: open })).toEqual({ checked: 0, broken: [] })
  })

  it('is valid during a write to the checked case', async () => {
    const { sav, a, storage, actor, on } = await withChain()
    let writes = 0
    const cases = replacing(storage.reads.cases, {
      async historyChain(account_id, id) {
        if (id === a && writes === 0) {
          writes += 1
          await sav.cases.update(actor, a, { notes_internes: 'Rappeler le client.' })
        }
        return storage.reads.cases.historyChain(account_id, id)
      },
    })
    expect((await on({ cases }).verify('default')).broken).toEqual([])
    expect(writes).toBe(1)
  })

  const writes: readonly [string, (chain: Chain) => Promise<unknown>][] = [
    ['closes', ({ sav, actor, open }) => sav.cases.close(actor, open, { resolution })],
    ['erases', ({ sav, client }) => sav.directory.clients.erase(as('default'), client.id)],
  ]
  it.each(writes)('is valid if someone %s a case after the chain was read', async (_, write) => {
    const chain = await withChain()
    let writings = 0
    const cases = replacing(chain.storage.reads.cases, {
      async listVisited(account_id, page) {
        writings += 1
        await write(chain)
        return chain.storage.reads.cases.listVisited(account_id, page)
      },
    })
    expect((await chain.on({ cases }).verify('default')).broken).toEqual([])
    expect(writings).toBe(1)
  })

  it('of an account without a close is valid, and no entry is checked', async () => {
    const { sav, addAccount } = await withChain()
    await addAccount('other')
    expect(await sav.evidence.verify('other')).toEqual({ checked: 0, broken: [] })
  })

  it('is valid after notes, changed names in the directory, and a reopening', async () => {
    const { sav, actor, a, c, client, poseur } = await withChain()
    await sav.cases.update(actor, a, { notes_internes: 'Client content.' })
    await sav.directory.clients.update(as('default'), client.id, { nom: 'Durand-Moreau' })
    await sav.directory.poseurs.update(as('default'), poseur.id, { nom: 'Bruno Grand', actif: false })
    await sav.accounts.update(as('default'), { raison_sociale: 'Cuisines Martin' })
    await sav.cases.reopen(actor, c, { motif })
    expect(await sav.evidence.verify('default')).toEqual({ checked: 4, broken: [] })
  })

  it('of hundreds of entries is valid, and its progress is reported', async () => {
    const { sav, actor, client } = await openSav()
    for (let count = 0; count < 401; count += 1) {
      const { id } = await sav.cases.create(actor, { client_id: client.id, description })
      await sav.cases.close(actor, id, { resolution })
    }
    const told: number[] = []
    expect(await sav.evidence.verify('default', { progress: (checked) => told.push(checked) })).toEqual({
      checked: 401,
      broken: [],
    })
    expect(told.at(-1)).toBe(401)
    expect(told.length).toBeGreaterThan(1)
  })
})

describe('tampering is found', () => {
  it('in the case of an entry', async () => {
    const { withLinks, a, open } = await withChain()
    for (const sequence of [1, 2, 3, 4]) {
      for (const case_id of [a, open]) {
        const evidence = withLinks((link) =>
          link.entry.sequence === sequence ? { ...link, entry: { ...link.entry, case_id } } : link,
        )
        if (sequence === 1 && case_id === a) continue
        expect((await evidence.verify('default')).broken).not.toEqual([])
      }
    }
  })

  it('at the end of the chain', async () => {
    const { withLinks, b, c } = await withChain()
    const { broken, checked } = await withLinks((link) => (link.entry.sequence < 4 ? link : null)).verify('default')
    expect(checked).toBe(3)
    expect(broken).toContainEqual({
      sequence: null,
      reference: `SAV-2026-0000${c}`,
      problem: expect.stringContaining('no entry'),
    })
    expect(new Set(broken.map(({ reference }) => reference))).toEqual(new Set([`SAV-2026-0000${c}`]))
    const shorter = await withLinks((link) => (link.entry.sequence < 3 ? link : null)).verify('default')
    expect(new Set(shorter.broken.map(({ reference }) => reference))).toEqual(
      new Set([`SAV-2026-0000${b}`, `SAV-2026-0000${c}`]),
    )
    const empty = await withLinks(() => null).verify('default')
    expect(empty).toMatchObject({ checked: 0 })
    expect(empty.broken).toHaveLength(3)
  })

  it('in one case when only that case is checked', async () => {
    const { withLinks, a, b } = await withChain()
    const evidence = withLinks((link) => (link.entry.sequence === 1 ? { ...link, snapshot: null } : link))
    expect((await evidence.verify('default', { case_id: a })).broken).toHaveLength(1)
    expect((await evidence.verify('default', { case_id: b })).broken).toEqual([])
  })

  it.each<[string, (closing: CaseClose) => Partial<CaseChanges>]>([
    ['resolution', (closing) => ({ closing: { ...closing, resolution: 'Tout autre chose.' } })],
    ['date_cloture', (closing) => ({ closing: { ...closing, date_cloture: '2026-01-01T00:00:00.000Z' } })],
    ['photo_avant', (closing) => ({ closing: { ...closing, photo_avant: 'e'.repeat(64) } })],
    ['photo_apres', (closing) => ({ closing: { ...closing, photo_apres: null } })],
    ['signature_client', (closing) => ({ closing: { ...closing, signature_client: 'e'.repeat(64) } })],
    ['signataire_nom', (closing) => ({ closing: { ...closing, signataire_nom: 'B. Durand' } })],
    ['reserves', (closing) => ({ closing: { ...closing, reserves: [] } })],
    ['priorite', () => ({ priorite: 'urgente' })],
    ['type_probleme', () => ({ type_probleme: 'facade' })],
    ['poseur_id', () => ({ poseur_id: null })],
  ])('in the %s of a closed case', async (_, change) => {
    const { sav, a, tamper } = await withChain()
    const { reference } = await sav.cases.get('default', a)
    await tamper(a, change)
    expect((await sav.evidence.verify('default')).broken).toEqual([
      expect.objectContaining({ reference, problem: expect.stringContaining('differs') }),
    ])
  })
})

const isFull = process.env['SAV_TEST_CHAOS'] === '1'

describe('a single changed byte', () => {
  /** The text with one of its characters replaced by another one. */
  const changed = (text: string, at: number, by: number) => {
    const place = at % text.length
    const code = (text.charCodeAt(place) + 1 + (by % 126)) % 127
    return `${text.slice(0, place)}${String.fromCharCode(code)}${text.slice(place + 1)}`
  }
  const fields = ['reference', 'date', 'hash_dossier', 'hash_precedent', 'hash_entree', 'account'] as const

  it('in an entry, a snapshot or a file is found, and so is a changed sequence number; also in erasures', async () => {
    const { sav, actor, account_id, client, clock, withLinks, on, storage } = await withChain()
    const erased = await sav.directory.clients.add(as(account_id), { nom: 'Petit', prenom: 'Zoé' })
    const { id } = await sav.cases.create(actor, { client_id: erased.id, description })
    await sav.cases.close(actor, id, { resolution })
    await clock.advance(1_000)
    await sav.directory.clients.erase(actor, erased.id)
    expect(client.id).not.toBe(erased.id)
    expect(await sav.evidence.verify(account_id)).toEqual({ checked: 6, broken: [] })

    const place = fc.record({ sequence: fc.integer({ min: 1, max: 6 }), at: fc.nat(), by: fc.nat() })
    type Place = typeof place extends fc.Arbitrary<infer P> ? P : never
    const inLink = (alter: (link: Link, place: Place) => Link) =>
      place.map((at) => () => withLinks((link) => (link.entry.sequence === at.sequence ? alter(link, at) : link)))
    const inSnapshot = inLink((link, { at, by }) => ({ ...link, snapshot: changed(link.snapshot ?? '', at, by) }))
    const inOrder = inLink(({ entry, ...link }, { at }) => ({
      ...link,
      entry: { ...entry, sequence: ((entry.sequence + (at % 5)) % 6) + 1 },
    }))
    const inField = fc.constantFrom(...fields).chain((field) =>
      inLink(({ entry, ...link }, { at, by }) => ({
        ...link,
        entry: { ...entry, [field]: changed(entry[field], at, by) },
      })),
    )
    const inFile = place.map(({ at, by }) => () => {
      const files = replacing(storage.reads.files, {
        async find(...which) {
          const file = await storage.reads.files.find(...which)
          if (file === null) return null
          const content = Uint8Array.from(file.content)
          const index = at % content.length
          content[index] = ((content[index] ?? 0) + 1 + (by % 255)) % 256
          return { ...file, content }
        },
      })
      return on({ files })
    })
    await fc.assert(
      fc.asyncProperty(fc.oneof(inSnapshot, inField, inFile, inOrder), async (altered) => {
        const { broken } = await altered().verify(account_id)
        expect(broken.length).toBeGreaterThan(0)
      }),
      { numRuns: isFull ? 2_000 : 200 },
    )
  }, 60_000)
})
