import type { CaseFilter, Storage } from '@sav/core/ports'
import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planningStore } from '../../../planning/src/appointments/planning-store.js'
import type { RdvFilter } from '../../../planning/src/feature.js'
import { delivered, outcome } from '../../../storage-contract/src/samples/queue-samples.js'
import { openFresh } from '../../test/databases.js'
import { insertWaiting } from '../../test/waiting.js'
import type { PostgresStorage } from '../postgres.js'
import type { Executor } from '../statements/connection.js'

const at = '2026-01-15T10:30:00.000Z'
const waiting = 20_000
const manyCases = 8000

let storage: PostgresStorage

beforeAll(async () => {
  storage = await openFresh()
  const { db } = storage
  await sql`insert into accounts (id, created_at) values ('ours', ${at})`.execute(db)
  await sql`insert into events (account_id, id, event, body, created_at)
    select 'ours', 'evt_' || n, 'sav.created', '{}', ${at} from generate_series(1, ${sql.lit(waiting)}) as n`.execute(
    db,
  )
  const said = {
    id: sql<string>`'dlv_' || n`,
    event_id: sql<string>`'evt_' || n`,
    target: sql<string>`'wh_' || n % 20`,
  }
  await insertWaiting(db, { ...said, at: sql<string>`${sql.lit(at)}`, count: waiting })
  await sql`insert into clients (account_id, nom, prenom, recherche_nom, recherche_email)
    values ('ours', 'Lefèvre', 'Zoé', 'lefevre zoe', '')`.execute(db)
  await sql`insert into cases (account_id, annee, numero, client_id, statut, priorite, type_probleme, description, photos,
      date_creation, date_modification, version, historique_numero, historique_hash, recherche)
    select 'ours', 2026, n, (select max(id) from clients), 'ouvert', 'normale', 'autre', 'x', '[]', ${at}, ${at}, 1, 1, '',
      'sav 2026 facade n' || n
    from generate_series(1, ${sql.lit(manyCases)}) as n`.execute(db)
  await sql`insert into poseurs (account_id, nom) select 'ours', 'Poseur ' || n from generate_series(1, 50) as n`.execute(
    db,
  )
  // Eight visits of an hour a day for each of 50 persons, over 25 days.
  await sql`insert into rdv (account_id, type, statut, client_id, poseur_id, debut, fin, fuseau, date_creation,
      date_modification, version)
    select 'ours', 'pose', 'planifie', (select max(id) from clients), poseurs.id,
      to_char(t, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), to_char(t + interval '1 hour', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'Europe/Paris', ${at}, ${at}, 1
    from poseurs, generate_series(0, 24) as day, generate_series(0, 7) as hour,
      lateral (select timestamp '2026-03-02 07:00' + day * interval '1 day' + hour * interval '1 hour' as t) as times`.execute(
    db,
  )
  await sql`insert into rdv_personnes (account_id, rdv_id, poseur_id, ordre, debut, debut_ms, fin_ms)
    select account_id, id, poseur_id, 0, debut, extract(epoch from debut::timestamptz) * 1000,
      extract(epoch from fin::timestamptz) * 1000 from rdv`.execute(db)
  await sql`insert into accounts (id, created_at) values ('towns', ${at})`.execute(db)
  await sql`insert into clients (account_id, nom, prenom, recherche_nom, recherche_email, tri_nom, tri_ville)
    select 'towns', 'Petit', 'Paul', 'petit paul', '', 'nom ' || n % 100, 'ville ' || n % 100 from generate_series(1, 4000) as n`.execute(
    db,
  )
  await sql`insert into cases (account_id, annee, numero, client_id, statut, priorite, type_probleme, description, photos,
      date_creation, date_modification, version, historique_numero, historique_hash, recherche)
    select 'towns', 2026, n * 4000 + id, id, 'ouvert', 'normale', 'autre', 'x', '[]', ${at}, ${at}, 1, 1, '', 'sav 2026'
    from clients, generate_series(0, 2) as n where account_id = 'towns'`.execute(db)
  await sql`insert into case_tallies (account_id, jour, statut, nombre) values ('towns', '2026-01-15', 'ouvert', 12000)`.execute(
    db,
  )
  // Moves the words of new rows into their index.
  await sql`vacuum analyze`.execute(db)
})

afterAll(() => storage.close())

/** The plans of the statements that `call` runs. */
async function explained(call: (storage: Storage) => Promise<unknown>): Promise<string> {
  const steps: string[] = []
  await storage.db.transaction().execute(async (trx) => {
    const asking: Executor = {
      async executeQuery(query) {
        if (!/savepoint|sav_call/.test(query.sql)) {
          const plan = CompiledQuery.raw(`explain ${query.sql}`, [...query.parameters])
          const { rows } = await trx.executeQuery<{ 'QUERY PLAN': string }>(plan)
          steps.push(...rows.map((row) => row['QUERY PLAN']))
        }
        return trx.executeQuery(query)
      },
    }
    await call(storage.inTransaction({ ...asking, isTransaction: true, withoutPlugins: () => asking }))
  })
  return steps.join('\n')
}

const lease = { now: at, leasedUntil: '2026-01-15T10:30:15.000Z', token: 'token' }
const requests = ['wh_1', 'wh_2'].map((target) => ({ lane: 'first' as const, target, channel: 'webhook', limit: 16 }))

describe(`with ${waiting} deliveries waiting`, () => {
  it('due deliveries are found through delivery_queue_due, without reading or sorting the backlog', async () => {
    const lateness = ({ queue }: Storage) => queue.lateness({ now: at, behindSince: at })
    for (const ask of [({ queue }: Storage) => queue.due(at), lateness]) {
      const plan = await explained(ask)
      expect(plan).toContain('using delivery_queue_due')
      expect(plan).not.toMatch(/Seq Scan on delivery_queue|Sort Key: delivery_queue/)
    }
  })

  it.each([
    ['ville', 'clients_ville', 'ville 50'],
    ['-ville', 'clients_ville', 'ville 50'],
    ['client', 'clients_tri', 'nom 50'],
    ['-client', 'clients_tri', 'nom 50'],
  ] as const)(
    'a list by %s walks %s until its page is full, from its beginning or a position',
    async (tri, index, place) => {
      for (const filter of [{}, { statut: 'ouvert' as const }])
        for (const after of [undefined, [place, 9000]]) {
          const page = { page: 1, limite: 50, tri, after }
          const plan = await explained((asked) => asked.reads.cases.list('towns', filter, page))
          expect(plan).toMatch(/Incremental Sort/)
          expect(plan).toContain(`using ${index}`)
          if (after !== undefined) expect(plan).toMatch(/Index Cond: .*tri_(nom|ville)\)?:?:?\w* [<>]=/)
          expect(plan).not.toMatch(/Seq Scan/)
        }
    },
  )

  it('a page after a position begins at that position in the index of its list', async () => {
    const page = { page: 1, limite: 50 }
    const lists: [string, RegExp, (asked: Storage) => Promise<unknown>][] = [
      [
        'cases_recent',
        /ROW\(date_creation, id\) < ROW/,
        (asked) => asked.reads.cases.list('towns', {}, { ...page, after: [at, 15_000] }),
      ],
      [
        'clients_tri',
        /ROW\(tri_nom, id\) > ROW/,
        (asked) => asked.reads.directory.listClients('towns', { ...page, after: ['nom 5', 2000] }),
      ],
    ]
    for (const [index, condition, list] of lists) {
      const plan = (await explained(list)).split('Aggregate').at(-1)
      expect(plan).toMatch(new RegExp(`using ${index}[^]*?Index Cond: [^\n]*${condition.source}`))
      expect(plan).not.toMatch(/Seq Scan on (cases|clients)/)
    }
  })

  it('due deliveries are claimed through delivery_queue_due, in its order', async () => {
    const plan = await explained((asked) => asked.queue.claim(requests, lease))
    expect(plan).toContain('using delivery_queue_due')
    expect(plan).toContain('Tid Scan on delivery_queue')
    expect(plan).toContain('using events_pkey')
    expect(plan).not.toMatch(/Seq Scan on (delivery_queue|events)|Sort/)
  })

  it('claimed deliveries are recorded and released by their primary key', async () => {
    const claimed = await storage.queue.claim(requests, lease)
    expect(claimed).toHaveLength(32)
    const outcomes = claimed.map((delivery) => outcome(delivery, delivered))
    const recorded = await explained((asked) => asked.queue.record(outcomes))
    expect(recorded).toContain('using deliveries_pkey')
    const released = await explained((asked) => asked.queue.release(claimed))
    for (const plan of [recorded, released]) {
      expect(plan).toContain('using delivery_queue_pkey')
      expect(plan).not.toMatch(/(Seq Scan|Hash).* on deliver/)
    }
  })

  it.each([
    ['pending', 'delivery_queue_pkey'],
    ['failed', 'failed_deliveries_pkey'],
    ['delivered', 'deliveries_recent'],
  ] as const)('the history of deliveries in state %s is read in the order of %s', async (state, index) => {
    const plan = await explained((asked) => asked.reads.deliveries.list('ours', { state, limit: 50 }))
    expect(plan).toMatch(new RegExp(`Index (Only )?Scan Backward using ${index}`))
    expect(plan).not.toMatch(/Seq Scan|Sort|Hash/)
  })
})

describe('upkeep', () => {
  const bounds = { deliveredBefore: '2026-01-01T00:00:00.000Z', failedBefore: '2026-01-01T00:00:00.000Z' }

  it.each([
    ['deliveries', 'deliveries_recent', 'created_at'],
    ['failed_deliveries', 'failed_deliveries_pkey', 'created_at'],
    ['events', 'events_created', 'created_at'],
    ['audit', 'audit_pkey', '"time"'],
  ])('finds old %s for each account, even for a single account', async (table, index, time) => {
    const deleting = await explained(async (asked) => {
      await asked.queue.purge({ ...bounds, limit: 5 })
      await asked.transaction((tx) => tx.audit.purge(bounds.failedBefore, 5))
    })
    const counting = await explained(async (asked) => {
      await asked.queue.purgeable(bounds)
      await asked.reads.audit.purgeable(bounds.failedBefore)
    })
    const found = new RegExp(
      `using ${index} on ${table} [^\\n]*\\n *Index Cond: \\(\\(account_id = accounts\\w*[.]id\\) AND \\(${time} < `,
    )
    for (const plan of [deleting, counting]) expect(plan).toMatch(found)
  })
})

describe(`with ${manyCases} cases`, () => {
  const filtered = (filter: CaseFilter) => (asked: Storage) =>
    asked.reads.cases.list('ours', filter, { page: 1, limite: 50 })
  const list = (recherche: string) => filtered({ recherche })

  it('a search for a rare word reads the word index, and no whole table', async () => {
    expect((await list('facade n777')(storage)).total).toBe(11)
    const plan = await explained(list('facade n777'))
    expect(plan).toContain('Bitmap Index Scan on cases_words')
    expect(plan).not.toMatch(/Seq Scan on cases/)
  })

  it('the first page for a frequent word is read from the list’s index, in its order', async () => {
    expect((await list('facade')(storage)).total).toBe(manyCases)
    const plan = (await explained(list('facade'))).split('Aggregate').at(-1)
    expect(plan).toMatch(/Limit[^\n]*\n[^\n]*Index (Only )?Scan Backward using cases_recent/)
  })

  it.each<[CaseFilter, string]>([
    [{ priorite: 'haute' }, 'cases_priorite'],
    [{ type_probleme: 'reglage' }, 'cases_type'],
    [{ modifie_depuis: '2999-01-01T00:00:00.000Z' }, 'cases_modified'],
  ])('the cases with %j are counted through the index %s', async (filter, index) => {
    const [count = ''] = (await explained(filtered(filter))).split('Limit')
    expect(count).toContain(`using ${index}`)
  })

  it('the first page is read from the list’s index if a filter by modification finds all cases', async () => {
    const all = filtered({ modifie_depuis: '2000-01-01T00:00:00.000Z' })
    expect(await all(storage)).toMatchObject({ total: manyCases, items: { length: 50 } })
    const plan = (await explained(all)).split('Aggregate').at(-1)
    expect(plan).toMatch(/Limit[^\n]*\n[^\n]*Index (Only )?Scan Backward using cases_recent/)
  })
})

describe('with 10,000 appointments of 50 persons', () => {
  const week = { from: '2026-03-16T00:00:00.000Z', until: '2026-03-23T00:00:00.000Z' }
  const day = { debut: '2026-03-16T07:30:00.000Z', fin: '2026-03-16T09:30:00.000Z' }
  const page = { page: 1, limite: 50 }
  const poseurs = async () => (await storage.reads.directory.listPoseurs('ours', page)).items.map(({ id }) => id)
  const list = (filter: Partial<RdvFilter>) => (asked: Storage) =>
    asked.reads.of(planningStore).list('ours', { ...week, ...filter }, page)

  it('a week is read by the index of days, and one person’s week by the index of person and day', async () => {
    expect((await list({})(storage)).total).toBe(2_800)
    const [poseur_id = 0] = await poseurs()
    expect((await list({ poseur_id })(storage)).total).toBe(56)
    expect(await explained(list({}))).toMatch(/Index (Only )?Scan using rdv_days/)
    const ofOne = await explained(list({ poseur_id }))
    expect(ofOne).toMatch(/Index (Only )?Scan using rdv_personnes_days/)
    for (const plan of [await explained(list({})), ofOne]) expect(plan).not.toMatch(/Seq Scan on rdv/)
  })

  it('busy persons are found by the index of person and time, and overlaps are refused', async () => {
    const [one = 0, other = 0] = await poseurs()
    const taken = (asked: Storage) => asked.reads.of(planningStore).overlapping('ours', [one, other], day)
    expect(await taken(storage)).toHaveLength(6)
    const plan = await explained(taken)
    expect(plan).toMatch(/using rdv_personnes_taken|on rdv_personnes_taken/)
    expect(plan).not.toMatch(/Seq Scan on rdv/)
    const early = sql`update rdv_personnes set debut_ms = debut_ms - 1 where poseur_id = ${one} and debut = ${'2026-03-16T09:00:00.000Z'}`
    await expect(early.execute(storage.db)).rejects.toThrow('rdv_personnes_taken_once')
  })
})
