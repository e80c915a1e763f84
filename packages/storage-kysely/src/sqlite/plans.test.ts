import { createUseCases } from '@sav/core'
import type { CaseFilter, DeliveryFilter, HistoryQuery, RdvFilter, Storage } from '@sav/core/ports'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMigrated } from '../../test/files.js'
import type { SqliteStorage } from '../sqlite.js'
import type { Executor } from '../statements/connection.js'

const at = '2026-01-15T10:30:00.000Z'

let opened: SqliteStorage
let tables: string[]

beforeAll(async () => {
  opened = await openMigrated(':memory:')
  const account = {
    raison_sociale: null,
    adresse: null,
    siret: null,
    email: null,
    telephone: null,
    signature_requise_depuis: null,
    confirmation_rdv_depuis: null,
    rappel_rdv_depuis: null,
    lieu: null,
    zone_feries: 'FR' as const,
    fuseau: null,
    nom_expediteur: null,
    repondre_a: null,
    url_publique: null,
    assureur: null,
    mediateur: null,
    logo: null,
  }
  const client = {
    prenom: 'Zoé',
    email: null,
    telephone: null,
    adresse: null,
    lieu: null,
    whatsapp_depuis: null,
    efface_le: null,
  }
  await opened.transaction(async (tx) => {
    await tx.accounts.add({ id: 'ours', ...account, created_at: at })
    await tx.cases.insert({
      tete_historique: null,
      account_id: 'ours',
      annee: 2026,
      numero: 1,
      client_id: await tx.directory.addClient('ours', { nom: 'Lefèvre', ...client }),
      description: 'Façade rayée',
      type_probleme: 'autre',
      priorite: 'haute',
      photos: [],
      date_creation: at,
    })
    const [found] = (await tx.cases.list('ours', {}, { page: 1, limite: 1 })).items
    const locked = await tx.cases.lock('ours', found?.id ?? 0)
    const poseur_id = await tx.directory.addPoseur('ours', {
      nom: 'Carl',
      inactif_depuis: null,
      email: null,
      couleur: null,
      lieu: null,
      lieu_retour: null,
    })
    if (locked !== null) await tx.cases.update(locked, { poseur_id, date_modification: at, version: 2 })
  })
})

beforeAll(async () => {
  tables = (await opened.db.introspection.getTables()).map(({ name }) => name)
})

afterAll(() => opened.close())

/** What the planner says of each statement that `call` runs. */
async function explained(call: (storage: Storage) => Promise<unknown>): Promise<string[]> {
  const steps: string[] = []
  await opened.db.transaction().execute(async (trx) => {
    const asking: Executor = {
      async executeQuery(query) {
        const plan = CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters])
        const { rows } = await trx.executeQuery<{ detail: string }>(plan)
        steps.push(...rows.map(({ detail }) => detail))
        return trx.executeQuery(query)
      },
    }
    await call(
      opened.inTransaction({ ...asking, isTransaction: true, withoutPlugins: () => asking, getExecutor: () => asking }),
    )
  })
  return steps
}

/** The named indexes that a call uses, none twice; it reads no whole table but those named. */
async function indexesOf(
  call: (storage: Storage) => Promise<unknown>,
  { reading = [] }: { readonly reading?: string[] } = {},
): Promise<string[]> {
  const steps = await explained(call)
  const scanned = steps.map((step) => /^SCAN (\w+)/.exec(step)?.[1]).filter((name) => name !== undefined)
  expect([...new Set(scanned.filter((name) => tables.includes(name)))]).toEqual(reading)
  const used = steps.map((step) => /(?<!VIRTUAL TABLE) INDEX (?!sqlite_autoindex)(\w+)/.exec(step)?.[1])
  return [...new Set(used.filter((name) => name !== undefined))].toSorted()
}

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
    it(`with ${Object.keys(filter).join(' and ') || 'no filter'} use ${indexes}`, async () => {
      const list = (storage: Storage) => storage.reads.cases.list('ours', filter, { page: 1, limite: 50 })
      expect((await list(opened)).total).toBe(1)
      expect(await indexesOf(list)).toEqual(indexes)
    })

    it(`with ${Object.keys(filter).join(' and ') || 'no filter'} read the index alone for total and page`, async () => {
      const steps = await explained((storage) => storage.reads.cases.list('ours', filter, { page: 1, limite: 50 }))
      const rows = steps.filter((step) => /^SEARCH cases USING (?!COVERING INDEX)/.test(step))
      expect(rows).toEqual(['SEARCH cases USING INTEGER PRIMARY KEY (rowid=?)'])
      // The rows of the page; and the few ids that were found in another order than the list's.
      const sorts = indexes.includes('cases_modified') ? 2 : 1
      expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toHaveLength(sorts)
    })
  }
})

it.each([{ poseur_id: null }, { poseur_id: null, statut: 'ouvert' }] as const)(
  'the cases that nobody has are counted by an index alone: %j',
  async (filter) => {
    const steps = await explained((storage) => storage.reads.cases.list('ours', filter, { page: 1, limite: 50 }))
    expect(steps).toEqual([expect.stringMatching(/^SEARCH cases USING COVERING INDEX /)])
  },
)

describe('searches', () => {
  const page = { page: 1, limite: 50 }
  const searches: [string, (storage: Storage) => Promise<{ total: number }>][] = [
    ['cases', (storage) => storage.reads.cases.list('ours', { recherche: 'facade', statut: 'ouvert' }, page)],
    ['clients', (storage) => storage.reads.directory.listClients('ours', { recherche: 'zoe', ...page })],
  ]

  for (const [table, search] of searches)
    it(`among ${table} find ids by the index of words, and rows by their ids`, async () => {
      expect((await search(opened)).total).toBe(1)
      const steps = (await explained(search)).filter((step) => new RegExp(`^(SCAN|SEARCH) ${table}`).test(step))
      expect([...new Set(steps)].toSorted()).toEqual([
        expect.stringMatching(`^SCAN ${table}_words VIRTUAL TABLE INDEX 0:M`),
        // What is too new for that index.
        expect.stringMatching(
          `^SEARCH ${table} USING INDEX sqlite_autoindex_${table}_1 \\(account_id=\\? AND id>\\?\\)`,
        ),
        `SEARCH ${table} USING INTEGER PRIMARY KEY (rowid=?)`,
        `SEARCH ${table}_words_docsize`,
      ])
    })
})

describe('histories of deliveries', () => {
  const after = { created_at: at, id: 'dlv_1' }
  const queries: [Omit<HistoryQuery, 'limit'>, string][] = [
    [{}, 'deliveries_recent'],
    [{ since: at }, 'deliveries_recent'],
    [{ event: 'sav.created' }, 'deliveries_recent'],
    [{ after }, 'deliveries_recent'],
    [{ state: 'delivered' }, 'deliveries_recent'],
    [{ endpoint_id: 'wh_1' }, 'deliveries_target'],
    [{ endpoint_id: 'wh_1', after }, 'deliveries_target'],
    [{ endpoint_id: 'wh_1', state: 'delivered' }, 'deliveries_target'],
    [{ letters: false, after }, 'deliveries_recent'],
    [{ letters: false, state: 'delivered' }, 'deliveries_recent'],
    [{ letters: false, endpoint_id: 'wh_1' }, 'deliveries_target'],
  ]

  for (const [query, index] of queries)
    it(`with ${Object.values(query).join(' and ') || 'no filter'} use ${index}, in its order`, async () => {
      const list = (storage: Storage) => storage.reads.deliveries.list('ours', { ...query, limit: 50 })
      expect(await indexesOf(list)).toEqual([index])
      expect((await explained(list)).filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
    })

  const apart: [Omit<HistoryQuery, 'limit'>, string][] = [
    [{ state: 'pending' }, 'delivery_queue'],
    [{ state: 'failed' }, 'failed_deliveries'],
    [{ state: 'failed', since: at, after }, 'failed_deliveries'],
    [{ state: 'pending', endpoint_id: 'wh_1' }, 'delivery_queue'],
    [{ letters: false, state: 'failed' }, 'failed_deliveries'],
  ]

  for (const [query, table] of apart)
    it(`with ${Object.values(query).join(' and ')} use the primary key of ${table}, in its order`, async () => {
      const steps = await explained((storage) => storage.reads.deliveries.list('ours', { ...query, limit: 50 }))
      expect(steps).toEqual([
        expect.stringContaining(`SEARCH ${table} USING PRIMARY KEY (account_id=?`),
        'SEARCH deliveries USING INDEX sqlite_autoindex_deliveries_1 (account_id=? AND id=?)',
      ])
    })
})

describe('the queue', () => {
  const lease = { now: at, leasedUntil: at, token: 'token' }
  const held = { account_id: 'ours', created_at: at, id: 'dlv_1', lease_token: 'token' }
  const update = { state: 'delivered', attempt_count: 1, run_attempt_count: 1, next_attempt_at: null } as const
  const attempt = {
    n: 1,
    started_at: at,
    duration_ms: 1,
    status: 200,
    error: null,
    response_headers: null,
    response: null,
  }

  it('finds what is due by delivery_queue_due, one target after the other', async () => {
    for (const ask of [
      (storage: Storage) => storage.queue.due(at),
      (storage: Storage) => storage.queue.oldestDue(at),
    ]) {
      expect(await indexesOf(ask)).toEqual(['delivery_queue_due', 'webhook_endpoints_id'])
      const probes = (await explained(ask)).filter((step) => step.startsWith('SEARCH delivery_queue'))
      expect(probes).toContain('SEARCH delivery_queue USING COVERING INDEX delivery_queue_due (lane=? AND target>?)')
    }
  })

  it('claims by delivery_queue_due, in its order', async () => {
    const claim = (storage: Storage) =>
      storage.queue.claim([{ lane: 'first', target: 'wh_1', channel: 'webhook', limit: 5 }], lease)
    expect(await indexesOf(claim)).toEqual(['delivery_queue_due', 'webhook_endpoints_id'])
    expect((await explained(claim)).filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  })

  it.each(['delivered', 'pending'] as const)('writes to claimed deliveries by their primary key: %s', async (state) => {
    const record = (storage: Storage) =>
      storage.queue.record([
        {
          delivery: { ...held, event_id: 'evt_1', channel: 'webhook', target: 'wh_1' },
          attempt,
          update: {
            ...update,
            state,
            next_attempt_at: state === 'pending' ? at : null,
            last_status: 200,
            last_error: null,
          },
        },
      ])
    for (const write of [record, (storage: Storage) => storage.queue.release([held])])
      expect((await explained(write)).filter((step) => step.startsWith('SEARCH'))).toEqual([
        'SEARCH delivery_queue USING PRIMARY KEY (account_id=? AND created_at=? AND id=?)',
      ])
  })

  it('lists the endpoints of all accounts by webhook_endpoints_id, in its order', async () => {
    const list = (storage: Storage) => storage.transaction((tx) => tx.endpoints.every({ afterId: 'wh_1', limit: 5 }))
    expect(await indexesOf(list)).toEqual(['webhook_endpoints_id'])
    expect((await explained(list)).filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  })

  it('finds the endpoint of a target by webhook_endpoints_id', async () => {
    expect(await indexesOf((storage) => storage.reads.endpoints.ofTarget('wh_1'))).toEqual(['webhook_endpoints_id'])
  })
})

describe('counts of deliveries', () => {
  const filters: [DeliveryFilter, string][] = [
    [{}, 'deliveries_recent'],
    [{ event: 'sav.created' }, 'deliveries_target'],
    [{ since: at }, 'deliveries_recent'],
    [{ state: 'delivered' }, 'deliveries_recent'],
    [{ state: 'delivered', endpoint_id: 'wh_1' }, 'deliveries_target'],
    [{ endpoint_id: 'wh_1' }, 'deliveries_target'],
  ]

  for (const [filter, index] of filters)
    it(`with ${Object.keys(filter).join(' and ') || 'no filter'} use ${index}`, async () => {
      expect(await indexesOf((storage) => storage.reads.deliveries.count('ours', filter))).toEqual([index])
    })

  for (const [filter, index] of filters)
    it(`with ${Object.keys(filter).join(' and ') || 'no filter'} and no letters use ${index} and deliveries_letters alone`, async () => {
      const count = (storage: Storage) => storage.reads.deliveries.count('ours', { ...filter, letters: false })
      expect(await indexesOf(count)).toEqual(['deliveries_letters', index].toSorted())
    })

  it('of letters read nothing but their index', async () => {
    const steps = await explained((storage) => storage.reads.deliveries.count('ours', { letters: false }))
    expect(steps.filter((step) => step.includes('deliveries_letters'))).toEqual([
      expect.stringContaining('USING COVERING INDEX deliveries_letters'),
    ])
  })

  it('by state are counts of indexes alone, for each account', async () => {
    const counts = (storage: Storage) => storage.queue.counts()
    expect(await indexesOf(counts, { reading: ['accounts'] })).toEqual(['deliveries_recent'])
    const searches = (await explained(counts)).filter((step) => step.startsWith('SEARCH'))
    expect(searches.filter((step) => !/COVERING INDEX|PRIMARY KEY/.test(step))).toEqual([])
  })
})

describe('upkeep', () => {
  const bounds = { deliveredBefore: at, failedBefore: at }

  it('finds what waits in vain by the endpoints that get nothing, and reads no backlog but theirs', async () => {
    const expire = (storage: Storage) => storage.queue.expire({ now: at, disabledBefore: at, limit: 5 })
    expect(await indexesOf(expire)).toEqual([
      'delivery_queue_due',
      'subscriptions_target',
      'webhook_endpoints_disabled',
      'webhook_endpoints_removed',
    ])
    expect(await explained(expire)).toContain(
      'SEARCH delivery_queue USING INDEX delivery_queue_due (lane=? AND target=? AND next_attempt_at<?)',
    )
  })

  it('finds old deliveries and events by state and time, for each account', async () => {
    const indexes = ['deliveries_recent', 'events_created']
    const purgeable = (storage: Storage) => storage.queue.purgeable(bounds)
    expect(await indexesOf(purgeable, { reading: ['accounts'] })).toEqual(indexes)
    const purge = (storage: Storage) => storage.queue.purge({ ...bounds, limit: 5 })
    expect(await indexesOf(purge, { reading: ['accounts'] })).toEqual(indexes)
  })

  it('finds old answers by when they were kept, and old calls by the primary key', async () => {
    const answers = (storage: Storage) => storage.reads.idempotency.purgeable(at)
    const purgeAnswers = (storage: Storage) => storage.transaction((tx) => tx.idempotency.purge(at, 5))
    for (const asked of [answers, purgeAnswers]) expect(await indexesOf(asked)).toContain('answers_created')
    const calls = (storage: Storage) => storage.reads.audit.purgeable(at)
    const purgeCalls = (storage: Storage) => storage.transaction((tx) => tx.audit.purge(at, 5))
    for (const asked of [calls, purgeCalls]) expect(await indexesOf(asked, { reading: ['accounts'] })).toEqual([])
  })

  it('deletes by primary key', async () => {
    const steps = await explained((storage) => storage.queue.purge({ ...bounds, limit: 5 }))
    const keys = ['account_id=? AND delivery_id=?', 'account_id=? AND id=?']
    for (const [table, key] of [
      ['attempts', keys[0]],
      ['deliveries', keys[1]],
      ['events', keys[1]],
    ])
      expect(steps.filter((step) => step.startsWith(`SEARCH ${table} USING`) && step.endsWith(`(${key})`))).not.toEqual(
        [],
      )
  })
})

describe('other lists and look-ups', () => {
  const page = { page: 1, limite: 50 }
  const calls: [string, string, (storage: Storage) => Promise<unknown>][] = [
    ['a key by its hash', 'api_keys_hash', (storage) => storage.reads.keys.findByHash('hash')],
    ['clients', 'clients_name', (storage) => storage.reads.directory.listClients('ours', page)],
    ['poseurs', 'poseurs_name', (storage) => storage.reads.directory.listPoseurs('ours', page)],
    ['the history of a case', 'case_history_case', (storage) => storage.reads.cases.history('ours', 1)],
    ['closed cases', 'cases_closed', (storage) => storage.reads.cases.listClosed('ours', { afterId: 0, limit: 50 })],
    ['replays', 'replay_jobs_recent', (storage) => storage.reads.replays.list('ours', 50)],
    ['running replays', 'replay_jobs_running', (storage) => storage.reads.replays.running()],
    ['the evidence of a case', 'evidence_entries_case', (storage) => storage.reads.evidence.ofCase('ours', 1)],
  ]

  for (const [what, index, call] of calls)
    it(`${what}: by ${index}, in its order`, async () => {
      expect(await indexesOf(call)).toEqual([index])
      expect((await explained(call)).filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
    })
})

describe('the audit', () => {
  const after = { time: at, id: 'aud_1' }
  const periods = [{}, { since: at }, { before: at }, { since: at, before: at }, { since: at, after, before: at }]

  it.each(periods)('of one key or person in %j is read out of an index, in its order', async (period) => {
    for (const [who, index] of [
      [{ key_id: 'key_1' }, 'audit_key'],
      [{ user_id: 'usr_1' }, 'audit_user'],
    ] as const) {
      const list = (storage: Storage) => storage.reads.audit.list('ours', { ...who, ...period, limit: 50 })
      expect(await indexesOf(list)).toContain(index)
    }
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

  it.each(filters)('lists those of %j in the order of an index', async (filter, indexes) => {
    const list = (storage: Storage) =>
      storage.reads.planning.list('ours', { ...week, ...filter }, { page: 1, limite: 50 })
    expect(await indexesOf(list)).toEqual(indexes)
  })

  it('finds who comes along to each of a page, and reads nobody else of the account', async () => {
    const sav = createUseCases({
      storage: opened,
      clock: { now: Date.now, monotonic: Date.now, after: () => () => {} },
      random: (length) => new Uint8Array(length).fill(7),
      secretKey: new Uint8Array(32),
      timeZone: 'Europe/Paris',
      receivers: { allowLocal: false },
    })
    const actor = { account_id: 'ours', type: 'cli', id: null, nom: 'test' } as const
    const client = await sav.directory.clients.add(actor, { nom: 'Durand', prenom: 'Zoé' })
    const [lead, helper] = [
      await sav.directory.poseurs.add(actor, { nom: 'Bruno' }),
      await sav.directory.poseurs.add(actor, { nom: 'Ismaël' }),
    ]
    const booking = { client_id: client.id, poseur_id: lead.id, equipiers: [helper.id], duree_minutes: 60 }
    const { id } = await sav.planning.book(actor, { ...booking, debut: '2026-03-17T08:00:00Z' })
    const find = (storage: Storage) => storage.reads.planning.find('ours', id)
    expect(await explained(find)).toContainEqual(
      expect.stringMatching(/rdv_personnes USING PRIMARY KEY \(account_id=\? AND rdv_id=\?\)/),
    )
  })

  it('finds who is taken by person and time, no further back than the longest appointment', async () => {
    const taken = (storage: Storage) =>
      storage.reads.planning.overlapping('ours', [1, 2], { debut: week.from, fin: week.until })
    expect(await indexesOf(taken)).toEqual(['rdv_personnes_taken'])
    expect(await explained(taken)).toContainEqual(
      expect.stringMatching(
        /USING COVERING INDEX rdv_personnes_taken \(poseur_id=\? AND debut_ms>\? AND debut_ms<\?\)/,
      ),
    )
  })

  it('finds what is to come of a person, of a case, of a client, and what has expired', async () => {
    const { from } = week
    const asked: [(storage: Storage) => Promise<unknown>, string][] = [
      [(storage) => storage.reads.planning.comingOfPoseur('ours', 1, from, 20), 'rdv_personnes_days'],
      [(storage) => storage.reads.planning.comingOfCase('ours', 1, from), 'rdv_case'],
      [(storage) => storage.reads.planning.ofClient('ours', 1), 'rdv_client'],
      [(storage) => storage.reads.planning.expiredHolds(from, 100), 'rdv_holds'],
      [(storage) => storage.reads.planning.dueLetters(from, 100), 'rdv_letters'],
      [(storage) => storage.reads.cases.interventions('ours', 1), 'interventions_case'],
    ]
    for (const [call, index] of asked) expect(await indexesOf(call)).toEqual([index])
  })
})
