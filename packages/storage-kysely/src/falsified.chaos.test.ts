import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { altered, type Falsification, falsificationsOf, type Row } from '../test/falsifying.js'
import { type House, onPostgres, onSqlite } from '../test/houses.js'
import { actor, photo, png, type Step } from '../test/shop.js'
import { coveredTables, isUncovered } from '../test/uncovered.js'

const isFull = process.env['SAV_TEST_CHAOS'] === '1'

const brokenIn = async ({ sav }: House) => (await sav.evidence.verify(actor.account_id)).broken

/** Runs `then` while the administrator has replaced the rows of a table; null if the database refuses these rows. */
async function whileFalsified<T>(
  { admin }: House,
  table: string,
  rows: readonly Row[],
  then: () => Promise<T>,
): Promise<T | null> {
  const before = await admin.rows(table)
  if (!(await admin.replace(table, rows))) return null
  try {
    return await then()
  } finally {
    expect(await admin.replace(table, before)).toBe(true)
  }
}

const description = 'La façade « chêne » s’écaille sous l’évier.'

/**
 * Closes three cases, whose reports are drawn and stamped; the second is reopened and closed again, the third reopened.
 */
async function falsifiable(house: House) {
  const { sav, work } = house
  const client = await sav.directory.clients.add(actor, { nom: 'Durand', prenom: 'Alice' })
  const input = { client_id: client.id, description, photos: [photo('création')] }
  const closing = {
    resolution: 'Façade remplacée.',
    photo_avant: photo('avant'),
    photo_apres: photo('après'),
    signature_client: png,
    signataire_nom: 'A. Durand',
  }
  const ids: number[] = []
  for (let n = 0; n < 3; n += 1) ids.push((await sav.cases.create(actor, input)).id)
  const [first = 0, second = 0, third = 0] = ids
  await sav.cases.update(actor, first, { notes_internes: 'Code du portail : 4711.' })
  for (const id of ids) await sav.cases.close(actor, id, closing)
  await work()
  await sav.cases.reopen(actor, second, { motif: 'La façade s’écaille à nouveau.' })
  await sav.cases.close(actor, second, closing)
  await sav.cases.reopen(actor, third, { motif: 'La façade s’écaille à nouveau.' })
  await work()
  const { signature_client, photos } = await sav.cases.get(actor.account_id, first)
  const sha256 = photos.map((found) => ('sha256' in found ? found.sha256 : ''))[0]
  return { first, second, third, signature: signature_client ?? '', photo: sha256 ?? '' }
}

type Falsifiable = Awaited<ReturnType<typeof falsifiable>>
type Attack = (rows: readonly Row[], ids: Falsifiable) => Row[]

const where = (rows: readonly Row[], column: string, value: unknown, change: Row): Row[] =>
  rows.map((row) => (String(row[column]) === String(value) ? { ...row, ...change } : row))
const without = (rows: readonly Row[], column: string, value: unknown): Row[] =>
  rows.filter((row) => String(row[column]) !== String(value))
const overwritten = (rows: readonly Row[], holds: (row: Row) => boolean): Row[] =>
  rows.map((row) => (holds(row) ? { ...row, content: altered(row['content'] ?? null, 7) } : row))

/** The attacks. Each one is tested alone. */
const attacks: readonly (readonly [string, string, Attack])[] = [
  [
    'the bytes of the signature',
    'files',
    (rows, { signature }) => overwritten(rows, ({ sha256 }) => sha256 === signature),
  ],
  [
    'the bytes of a photo of the creation',
    'files',
    (rows, ids) => overwritten(rows, ({ sha256 }) => sha256 === ids.photo),
  ],
  ['the bytes of a report', 'files', (rows) => overwritten(rows, ({ media_type }) => media_type === 'application/pdf')],
  ['a photo’s media type', 'files', (rows, ids) => where(rows, 'sha256', ids.photo, { media_type: 'text/html' })],
  [
    'a report’s row, pointed at a photo',
    'reports',
    (rows, ids) => where(rows, 'case_id', ids.first, { pdf: ids.photo }),
  ],
  [
    'a report’s row, pointed at another report',
    'reports',
    (rows, ids) =>
      where(rows, 'case_id', ids.first, {
        pdf: rows.find((row) => String(row['case_id']) !== String(ids.first))?.['pdf'] ?? null,
      }),
  ],
  [
    'the description',
    'cases',
    (rows, ids) => where(rows, 'id', ids.first, { description: 'Tout autre chose, dit plus tard.' }),
  ],
  ['the client', 'cases', (rows, ids) => where(rows, 'id', ids.first, { client_id: 1 })],
  [
    'date_creation',
    'cases',
    (rows, ids) => where(rows, 'id', ids.first, { date_creation: '2026-01-01T00:00:00.000Z' }),
  ],
  ['the photos of the creation', 'cases', (rows, ids) => where(rows, 'id', ids.first, { photos: '[]' })],
  [
    'the signature of the case, another file now',
    'cases',
    (rows, ids) => where(rows, 'id', ids.first, { signature_client: ids.photo }),
  ],
  ['the file of the signature, deleted', 'files', (rows, ids) => without(rows, 'sha256', ids.signature)],
  ['the file of a photo of the creation, deleted', 'files', (rows, ids) => without(rows, 'sha256', ids.photo)],
  ['the resolution', 'cases', (rows, ids) => where(rows, 'id', ids.first, { resolution: 'Rien fait.' })],
  ['notes of a closed case', 'cases', (rows, ids) => where(rows, 'id', ids.first, { notes_internes: 'Code : 0000.' })],
  [
    'the status and the description, without a reopening',
    'cases',
    (rows, ids) => where(rows, 'id', ids.first, { statut: 'en_cours', description: 'Tout autre chose.' }),
  ],
  [
    'the installer of a reopened case, now one that does not exist',
    'cases',
    (rows, ids) => where(rows, 'id', ids.third, { poseur_id: 999 }),
  ],
  ['the status alone', 'cases', (rows, ids) => where(rows, 'id', ids.first, { statut: 'en_cours' })],
  ['a closed case, deleted', 'cases', (rows, ids) => without(rows, 'id', ids.first)],
  [
    'what was written in the history',
    'case_history',
    (rows) => where(rows, 'type', 'reouverture', { commentaire: 'Rien.' }),
  ],
  ['a line of history, deleted', 'case_history', (rows) => without(rows, 'type', 'reouverture')],
  ['a whole history, deleted', 'case_history', (rows, ids) => without(rows, 'case_id', ids.first)],
  [
    'an additional digest in a line of history',
    'case_history',
    (rows) =>
      rows.map((row) => ({
        ...row,
        empreintes: row['empreintes'] ? `{"autre":"x",${String(row['empreintes']).slice(1)}` : null,
      })),
  ],
  ['the end of the chain, cut off', 'evidence_entries', (rows) => without(rows, 'sequence', rows.length)],
  ['the hash under a stamp', 'evidence_stamps', (rows) => rows.map((row) => ({ ...row, hash_entree: 'e'.repeat(64) }))],
  ['the token of a stamp', 'evidence_stamps', (rows) => rows.map((row) => ({ ...row, token: Buffer.from('signed') }))],
]

// These tests run only on SQLite, because PostgreSQL refuses bytes in a text column.
it.each([
  ['evidence_snapshots', 'snapshot'],
  ['case_history', 'sel'],
])('bytes instead of a text, which SQLite stores, are found: %s.%s', async (table, column) => {
  const house = await onSqlite()
  onTestFinished(() => house.close())
  await falsifiable(house)
  const asBytes = (row: Row) => (row[column] === null ? row : { ...row, [column]: Buffer.from(String(row[column])) })
  const falsified = (await house.admin.rows(table)).map(asBytes)
  expect(await whileFalsified(house, table, falsified, () => brokenIn(house))).not.toEqual([])
})

describe.each([
  ['a SQLite file', onSqlite],
  ['PostgreSQL', onPostgres],
])('on %s', (_, open) => {
  let house: House
  let ids: Falsifiable
  beforeAll(async () => {
    house = await open()
    ids = await falsifiable(house)
  })
  afterAll(() => house.close())

  it('untouched evidence is valid', async () => {
    expect(await house.sav.evidence.verify(actor.account_id)).toEqual({
      checked: 4,
      broken: [],
    })
  })

  // Both databases return the same rows, so only SQLite runs these tests. Samples of all falsifications below run on
  // PostgreSQL too.
  it.each(open === onSqlite ? attacks : [])('is found: %s', async (_, table, attack) => {
    const rows = await house.admin.rows(table)
    const falsified = attack(rows, ids)
    expect(falsified).not.toEqual(rows)
    expect(await whileFalsified(house, table, falsified, () => brokenIn(house))).not.toEqual([])
    expect(await brokenIn(house)).toEqual([])
  })

  it('is found: the end of the chain removed, and its case set back to open', async () => {
    const { admin } = house
    const [entries, cases] = [await admin.rows('evidence_entries'), await admin.rows('cases')]
    const open = where(cases, 'id', ids.second, { statut: 'en_cours' })
    const cut = without(entries, 'sequence', entries.length)
    const found = await whileFalsified(house, 'evidence_entries', cut, () =>
      whileFalsified(house, 'cases', open, () => brokenIn(house)),
    )
    expect(found).not.toEqual([])
  })

  it('verification reads only some of the files, or none, on request', async () => {
    const rows = overwritten(await house.admin.rows('files'), () => true)
    const count = (files: 'all' | 'sample' | 'none') =>
      whileFalsified(
        house,
        'files',
        rows,
        async () => (await house.sav.evidence.verify(actor.account_id, { files })).broken.length,
      )
    const all = (await count('all')) ?? 0
    expect(all).toBeGreaterThan(5)
    expect(await count('none')).toBe(0)
    expect(await count('sample')).toBeLessThan(all)
  })

  it('a file that does not match is never sent', async () => {
    const { sav, admin } = house
    const { account_id } = actor
    const rows = overwritten(await admin.rows('files'), () => true)
    const damaged = { name: 'DamagedFileError' }
    await whileFalsified(house, 'files', rows, async () => {
      await expect(sav.cases.file(account_id, ids.first, ids.photo)).rejects.toMatchObject(damaged)
      await expect(sav.cases.report(account_id, ids.first)).rejects.toMatchObject(damaged)
    })
    const swapped = where(await admin.rows('reports'), 'case_id', ids.first, { pdf: ids.photo })
    await whileFalsified(house, 'reports', swapped, () =>
      expect(sav.cases.report(account_id, ids.first)).rejects.toMatchObject(damaged),
    )
    expect((await sav.cases.report(account_id, ids.first))?.media_type).toBe('application/pdf')
  })
})

describe('an administrator who recomputes everything', () => {
  it('is exposed by an anchor kept elsewhere, and by the original time stamps', async () => {
    const [honest, forged] = [await onSqlite(), await onSqlite()]
    await falsifiable(honest)
    const anchors = await honest.sav.evidence.anchors()
    expect(anchors).toEqual([{ account: 'default', sequence: 4, hash_entree: expect.stringMatching(/^[0-9a-f]{64}$/) }])
    const { account_id } = actor
    expect((await honest.sav.evidence.verify(account_id, { anchors })).broken).toEqual([])

    // The same service makes the forgery: the same cases, closed at other times, with correct hashes.
    await falsifiable(forged)
    expect(await brokenIn(forged)).toEqual([])
    const { broken } = await forged.sav.evidence.verify(account_id, { anchors })
    expect(broken).toEqual([expect.objectContaining({ sequence: 4, problem: expect.stringContaining('anchor') })])
    const cut = [{ account: 'default', sequence: 9, hash_entree: 'e'.repeat(64) }]
    expect((await forged.sav.evidence.verify(account_id, { anchors: cut })).broken).toHaveLength(1)
    const others = [{ account: 'other', sequence: 1, hash_entree: 'e'.repeat(64) }]
    expect((await forged.sav.evidence.verify(account_id, { anchors: others })).broken).toEqual([])

    const stamps = await honest.admin.rows('evidence_stamps')
    const found = await whileFalsified(forged, 'evidence_stamps', stamps, () => brokenIn(forged))
    expect(found?.length).toBeGreaterThanOrEqual(stamps.length)
    await Promise.all([honest.close(), forged.close()])
  })
})

describe('any falsification of one row', () => {
  const which = fc.nat({ max: 6 })
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ what: fc.constantFrom('create' as const) }) },
    {
      weight: 7,
      arbitrary: fc.record({ what: fc.constantFrom('update', 'notes', 'visit', 'close', 'reopen'), which }),
    },
    { weight: 4, arbitrary: fc.record({ what: fc.constant('close' as const), which }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('erase' as const), which }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('work' as const) }) },
  )
  /** Each run begins with these steps, which include every kind of step. */
  const beginning: readonly Step[] = [
    { what: 'create' },
    { what: 'create' },
    { what: 'create' },
    { what: 'notes', which: 0 },
    { what: 'visit', which: 0 },
    { what: 'visit', which: 2 },
    { what: 'close', which: 0 },
    { what: 'close', which: 1 },
    { what: 'close', which: 2 },
    { what: 'work' },
    { what: 'reopen', which: 1 },
    { what: 'visit', which: 1 },
    { what: 'notes', which: 2 },
    { what: 'erase', which: 2 },
  ]

  it.each([
    ['a SQLite file', onSqlite, isFull ? 12 : 1, isFull ? 100_000 : 80],
    ['PostgreSQL', onPostgres, isFull ? 3 : 1, isFull ? 400 : 12],
  ])(
    'that concerns a case closed at least once is found on %s, unless its table declares the exception',
    async (_, open, runs, most) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.nat(), async (steps, at) => {
          const house = await open()
          try {
            for (const taken of [...beginning, ...steps]) await house.take(taken)
            await house.work()
            expect(await brokenIn(house)).toEqual([])
            await everyFalsificationIsFound(house, at, most)
          } finally {
            await house.close()
          }
        }),
        { numRuns: runs, endOnFailure: true },
      )
    },
    3_600_000,
  )
})

async function everyFalsificationIsFound(house: House, at: number, most: number): Promise<void> {
  const { admin } = house
  const concerned = new Set((await admin.rows('evidence_entries')).map((row) => String(row['case_id'])))
  const cases = new Map((await admin.rows('cases')).map((row) => [String(row['id']), row]))
  const held = new Set<unknown>()
  for (const row of await admin.rows('case_files')) if (concerned.has(String(row['case_id']))) held.add(row['sha256'])
  // The evidence covers a logo only while a snapshot names it. After the erasure of all clients, none does.
  const printed = (await admin.rows('evidence_snapshots')).map((row) => String(row['snapshot'])).join()
  const concerns = (table: string, row: Row) => {
    if (table === 'cases') return concerned.has(String(row['id']))
    if (table === 'account_logos') return printed.includes(String(row['sha256']))
    if (table === 'files') return held.has(row['sha256'])
    return row['case_id'] === undefined || concerned.has(String(row['case_id']))
  }
  const all: { falsification: Falsification; rows: readonly Row[] }[] = []
  for (const table of coveredTables) {
    const rows = await admin.rows(table)
    for (const falsification of falsificationsOf(table, rows, at)) {
      const row = rows[falsification.row]
      if (row === undefined || !concerns(table, row)) continue
      const owner = cases.get(String(table === 'cases' ? row['id'] : row['case_id']))
      const isOpen = owner !== undefined && owner['statut'] !== 'clos'
      // An inserted copy of an open case was never closed, so no evidence covers it.
      if (table === 'cases' && falsification.kind === 'inserted' && isOpen) continue
      if (!isUncovered(falsification, { isOpen })) all.push({ falsification, rows })
    }
  }
  const stride = Math.max(1, all.length / most)
  const missed: string[] = []
  for (let next = at % Math.ceil(stride); next < all.length; next += stride) {
    const { falsification, rows } = all[Math.floor(next)] ?? {}
    if (falsification === undefined || rows === undefined) continue
    const { table, column, kind, row } = falsification
    const falsified = falsification.apply(rows)
    // Swapping a value between two rows of one case may leave the table as it was.
    if (isSame(falsified, rows)) continue
    const found = await whileFalsified(house, table, falsified, () => brokenIn(house))
    if (found?.length === 0) missed.push(`${table} ${row}, ${column ?? 'row'} ${kind}: ${JSON.stringify(rows[row])}`)
  }
  expect(missed).toEqual([])
}

/** Whether both have the same rows in any order. */
function isSame(some: readonly Row[], others: readonly Row[]): boolean {
  const sorted = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).toSorted()
  return some.length === others.length && JSON.stringify(sorted(some)) === JSON.stringify(sorted(others))
}
