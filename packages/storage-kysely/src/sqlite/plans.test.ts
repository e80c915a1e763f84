import type { CaseFilter, Storage } from '@sav/core/ports'
import { describe, expect, it } from 'vitest'
import { statisticsStore } from '../../../insight/src/statistics/statistics-store.js'
import { planningStore } from '../../../planning/src/appointments/planning-store.js'
import type { RdvFilter } from '../../../planning/src/feature.js'
import { followUpStore } from '../../../planning/src/follow-ups/follow-up-store.js'
import { serviceOn } from '../../test/shop.js'
import { at, explained, indexesOf, openBeforeTests, opened } from '../../test/sqlite-plans.js'

openBeforeTests()

describe('lists of cases', () => {
  const statut = 'ouvert'
  const [client_id, poseur_id] = [1, 1]
  const filters: [CaseFilter, string[]][] = [
    [{}, ['cases_recent']],
    [{ depuis: at }, ['cases_recent']],
    [{ statut }, ['cases_statut']],
    [{ statut, depuis: at }, ['cases_statut']],
    [{ client_id }, ['cases_client']],
    [{ client_id, depuis: at }, ['cases_client']],
    [{ client_id, statut }, ['cases_client']],
    [{ client_id, poseur_id }, ['cases_client']],
    [{ client_id, poseur_id, statut, depuis: at }, ['cases_client']],
    [{ poseur_id }, ['cases_poseur']],
    [{ poseur_id, depuis: at }, ['cases_poseur']],
    [{ poseur_id, statut }, ['cases_poseur']],
    [{ priorite: 'haute' }, ['cases_priorite']],
    [{ priorite: 'haute', statut }, ['cases_priorite']],
    [{ priorite: 'haute', type_probleme: 'autre', modifie_depuis: at, statut }, ['cases_priorite']],
    [{ type_probleme: 'autre' }, ['cases_type']],
    [{ type_probleme: 'autre', modifie_depuis: at, statut }, ['cases_type']],
    [{ modifie_depuis: at }, ['cases_modified']],
    [{ modifie_depuis: at, statut }, ['cases_modified']],
  ]

  for (const [filter, indexes] of filters) {
    const names = Object.keys(filter).join(' and ') || 'no filter'
    it.each([undefined, [at, 9]])(`with ${names}, starting after %j, use ${indexes}`, async (after) => {
      const list = (storage: Storage) => storage.reads.cases.list('ours', filter, { page: 1, limite: 50, after })
      expect((await list(opened)).total).toBe(1)
      expect(await indexesOf(list)).toEqual(indexes)
      if (after === undefined || indexes.includes('cases_modified')) return
      const page = (await explained(list)).filter((step) => step.includes(`INDEX ${indexes}`)).at(-1)
      expect(page).toMatch(/date_creation<\?|\(date_creation,id\)<\(\?,\?\)/)
    })

    it(`with ${names} read only the index for the total and the ids of the page`, async () => {
      const steps = await explained((storage) => storage.reads.cases.list('ours', filter, { page: 1, limite: 50 }))
      const rows = steps.filter((step) => /^SEARCH cases USING (?!COVERING INDEX)/.test(step))
      expect(rows).toEqual(['SEARCH cases USING INTEGER PRIMARY KEY (rowid=?)'])
      // One sort is for the rows of the page. The other is for the few ids that are found in another order than the
      // list's.
      const sorts = indexes.includes('cases_modified') ? 2 : 1
      expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toHaveLength(sorts)
    })
  }
})

it.each([{ poseur_id: null }, { poseur_id: null, statut: 'ouvert' }] as const)(
  'cases without an installer are counted from an index alone: %j',
  async (filter) => {
    const steps = await explained((storage) => storage.reads.cases.list('ours', filter, { page: 1, limite: 50 }))
    expect(steps).toEqual([expect.stringMatching(/^SEARCH cases USING COVERING INDEX /)])
  },
)

it.each(['ville', '-ville', 'client', '-client'] as const)(
  'a list by %s walks the clients with their cases, and sorts the cases of one town or name at a time',
  async (tri) => {
    const index = tri.endsWith('ville') ? 'clients_ville' : 'clients_tri'
    for (const filter of [{}, { statut: 'ouvert' as const }])
      for (const after of [undefined, ['m', 9]]) {
        const list = (storage: Storage) => storage.reads.cases.list('ours', filter, { page: 1, limite: 50, tri, after })
        expect((await list(opened)).total).toBe(1)
        expect(await indexesOf(list)).toEqual(['cases_client', index].toSorted())
        const steps = await explained(list)
        expect(steps).toContain('USE TEMP B-TREE FOR LAST TERM OF ORDER BY')
        // The walk begins at the position.
        const walk = steps.filter((step) => step.includes(index)).join()
        if (after !== undefined) expect(walk).toMatch(/\(account_id=\? AND tri_(nom|ville)[<>]\?\)/)
      }
  },
)

it('rows for a spreadsheet are found by their ids', async () => {
  const steps = await explained((storage) => storage.reads.cases.rows('ours', [1]))
  expect(steps.filter((step) => / (cases|clients|poseurs) /.test(step))).toEqual([
    expect.stringMatching(/^SEARCH cases USING INTEGER PRIMARY KEY/),
    expect.stringMatching(/^SEARCH clients USING INTEGER PRIMARY KEY/),
    expect.stringMatching(/^SEARCH poseurs USING INTEGER PRIMARY KEY/),
  ])
})

describe('searches', () => {
  const page = { page: 1, limite: 50 }
  const searches: [string, (storage: Storage) => Promise<{ total: number }>][] = [
    ['cases', (storage) => storage.reads.cases.list('ours', { recherche: 'facade', statut: 'ouvert' }, page)],
    ['clients', (storage) => storage.reads.directory.listClients('ours', { recherche: 'zoe', ...page })],
  ]

  for (const [table, search] of searches)
    it(`among ${table} find ids by the word index, and rows by their ids`, async () => {
      expect((await search(opened)).total).toBe(1)
      const steps = (await explained(search)).filter((step) => new RegExp(`^(SCAN|SEARCH) ${table}`).test(step))
      expect([...new Set(steps)].toSorted()).toEqual([
        expect.stringMatching(`^SCAN ${table}_words VIRTUAL TABLE INDEX 0:M`),
        // This step reads the rows that are not indexed yet.
        expect.stringMatching(
          `^SEARCH ${table} USING INDEX sqlite_autoindex_${table}_\\d \\(account_id=\\? AND id>\\?\\)`,
        ),
        `SEARCH ${table} USING INTEGER PRIMARY KEY (rowid=?)`,
        `SEARCH ${table}_words_docsize`,
      ])
    })
})

describe('other lists and look-ups', () => {
  const page = { page: 1, limite: 50 }
  const calls: [string, string, (storage: Storage) => Promise<unknown>][] = [
    ['a key by its hash', 'api_keys_hash', (storage) => storage.reads.keys.findByHash('hash')],
    ['clients', 'clients_tri', (storage) => storage.reads.directory.listClients('ours', page)],
    [
      'clients after a place',
      'clients_tri',
      (storage) => storage.reads.directory.listClients('ours', { ...page, after: ['durand', 9] }),
    ],
    ['poseurs', 'poseurs_tri', (storage) => storage.reads.directory.listPoseurs('ours', page)],
    [
      'poseurs after a place',
      'poseurs_tri',
      (storage) => storage.reads.directory.listPoseurs('ours', { ...page, after: ['bruno', 9] }),
    ],
    ['follow-ups', 'a_traiter_open', (storage) => storage.reads.of(followUpStore).open('ours', 200)],
    ['failed reports', 'reports_failed', (storage) => storage.reads.reports.failed('ours', 200)],
    ['closed cases', 'cases_closed', (storage) => storage.reads.cases.listClosed('ours', { afterId: 0, limit: 50 })],
    [
      'replays',
      'replay_jobs_recent',
      (storage) => storage.reads.replays.list('ours', { limit: 50, after: [at, 'rpl_1'] }),
    ],
    ['running replays', 'replay_jobs_running', (storage) => storage.reads.replays.running()],
    ['the endpoint of a target', 'webhook_endpoints_id', (storage) => storage.reads.endpoints.ofTarget('wh_1')],
    [
      'the endpoints of all accounts',
      'webhook_endpoints_id',
      (storage) => storage.transaction((tx) => tx.endpoints.every({ afterId: 'wh_1', limit: 5 })),
    ],
    ['the evidence of a case', 'evidence_entries_case', (storage) => storage.reads.evidence.ofCase('ours', 1)],
  ]

  for (const [what, index, call] of calls)
    it(`${what}: by ${index}, in its order`, async () => {
      expect(await indexesOf(call)).toEqual([index])
      expect((await explained(call)).filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
    })

  it.each([
    ['the history of a case', (storage: Storage) => storage.reads.cases.history('ours', 1)],
    ['comments', (storage: Storage) => storage.reads.cases.comments('ours', 1, { beforeId: 9, limit: 50 })],
  ])('%s: by the primary key, in its order', async (_, call) => {
    expect(await explained(call)).toEqual([
      expect.stringMatching(
        /^SEARCH case_history USING INDEX sqlite_autoindex_case_history_1 \(account_id=\? AND case_id=\?/,
      ),
    ])
  })
})

describe('the audit', () => {
  const after = [at, 'aud_1']
  const periods = [{}, { since: at }, { before: at }, { since: at, before: at }, { since: at, after, before: at }]

  it.each(periods)('of one key or person in the period %j is read from an index, in its order', async (period) => {
    for (const [who, index] of [
      [{ key_id: 'key_1' }, 'audit_key'],
      [{ user_id: 'usr_1' }, 'audit_user'],
    ] as const) {
      const list = (storage: Storage) => storage.reads.audit.list('ours', { ...who, ...period, limit: 50 })
      expect(await indexesOf(list)).toContain(index)
    }
  })
})

describe('visits of cases', () => {
  const period = { from: '2026-01-01', until: '2027-01-01' }
  const list = (survenu: 'visite' | 'revisite') => (storage: Storage) =>
    storage.reads.cases.list('ours', { survenu, periode: period }, { page: 1, limite: 50 })
  const asked: [string, (storage: Storage) => Promise<unknown>][] = [
    ['in statistics', (storage) => storage.reads.of(statisticsStore).interventions('ours', period)],
    ['of cases visited for the first time', list('visite')],
    ['of cases visited again', list('revisite')],
  ]

  it.each(asked)('%s: the earlier visits of each case are found by the index of cases', async (_, call) => {
    const steps = (await explained(call)).filter((step) => step.includes(' earlier '))
    const byCase = /USING INDEX interventions_case \(account_id=\? AND case_id=\?\)$/
    expect(new Set(steps)).toEqual(new Set([expect.stringMatching(byCase)]))
  })
})

describe('the planning', () => {
  const week = { from: '2026-03-16T00:00:00.000Z', until: '2026-03-23T00:00:00.000Z' }
  const filters: [Partial<RdvFilter>, string[]][] = [
    [{}, ['rdv_days']],
    [{ statut: 'planifie', type: 'sav' }, ['rdv_days']],
    [{ client_id: 1 }, ['rdv_client']],
    [{ sav_id: 1 }, ['rdv_case']],
    [{ poseur_id: 1 }, ['rdv_personnes_days']],
    [{ poseur_id: 1, statut: 'planifie' }, ['rdv_personnes_days']],
  ]

  it.each(filters)('lists the appointments of %j in the order of an index', async (filter, indexes) => {
    for (const after of [undefined, [week.from, 9]]) {
      const list = (storage: Storage) =>
        storage.reads.of(planningStore).list('ours', { ...week, ...filter }, { page: 1, limite: 50, after })
      expect(await indexesOf(list)).toEqual(indexes)
    }
  })

  it('finds the teammates of a visit without reading those of other visits', async () => {
    const sav = serviceOn(opened)
    const actor = { account_id: 'ours', type: 'cli', id: null, nom: 'test' } as const
    const client = await sav.directory.clients.add(actor, { nom: 'Durand', prenom: 'Zoé' })
    const [lead, helper] = [
      await sav.directory.poseurs.add(actor, { nom: 'Bruno' }),
      await sav.directory.poseurs.add(actor, { nom: 'Ismaël' }),
    ]
    const booking = { client_id: client.id, poseur_id: lead.id, equipiers: [helper.id], duree_minutes: 60 }
    const { id } = await sav.planning.book(actor, { ...booking, debut: '2026-03-17T08:00:00Z' })
    const find = (storage: Storage) => storage.reads.of(planningStore).find('ours', id)
    expect(await explained(find)).toContainEqual(
      expect.stringMatching(/rdv_personnes USING PRIMARY KEY \(account_id=\? AND rdv_id=\?\)/),
    )
  })

  it('finds busy persons by person and time, and looks back no further than the longest appointment', async () => {
    const taken = (storage: Storage) =>
      storage.reads.of(planningStore).overlapping('ours', [1, 2], { debut: week.from, fin: week.until })
    expect(await indexesOf(taken)).toEqual(['rdv_personnes_taken'])
    expect(await explained(taken)).toContainEqual(
      expect.stringMatching(
        /USING COVERING INDEX rdv_personnes_taken \(poseur_id=\? AND debut_ms>\? AND debut_ms<\?\)/,
      ),
    )
  })

  it('finds the visits of a person, a case or a client, and expired ones, through their indexes', async () => {
    const { from } = week
    const asked: [(storage: Storage) => Promise<unknown>, string][] = [
      [(storage) => storage.reads.of(planningStore).comingOfPoseur('ours', 1, from, 20), 'rdv_personnes_days'],
      [(storage) => storage.reads.of(planningStore).comingOfCase('ours', 1, from), 'rdv_case'],
      [(storage) => storage.reads.of(planningStore).ofClient('ours', 1), 'rdv_client'],
      [(storage) => storage.reads.of(planningStore).expiredHolds(from, 100), 'rdv_holds'],
      [(storage) => storage.reads.of(planningStore).dueLetters(from, 100), 'rdv_letters'],
      [(storage) => storage.reads.cases.interventions('ours', 1), 'interventions_case'],
    ]
    for (const [call, index] of asked) expect(await indexesOf(call)).toEqual([index])
  })
})
