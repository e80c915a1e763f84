import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../test/whole/opening.js'
import { readyWorkplace, type Workplace } from './workplace.js'

/** A store with `count` failed deliveries, and one that is waiting. */
async function withFailures(count: number): Promise<Workplace> {
  const shop = await readyWorkplace()
  await shop.json('webhooks add https://example.com --events sav.created')
  await shop.newCase('Une porte qui attend')
  const storage = await openSqlite(`${shop.dir}/sav-data/sav.db`)
  await storage.db.transaction().execute(async (trx) => {
    const [waiting] = await trx.selectFrom('deliveries').selectAll().execute()
    if (waiting === undefined) throw new Error('no delivery')
    for (let n = 0; n < count; n += 1) {
      const id = `dlv_old${String(n).padStart(6, '0')}`
      const { account_id, event, channel, target } = waiting
      const created_at = '2026-01-15T10:30:00.000Z'
      await trx
        .insertInto('deliveries')
        .values({ ...waiting, state: 'failed', next_attempt_at: null, created_at, id })
        .execute()
      await trx.insertInto('failed_deliveries').values({ account_id, created_at, id, event, channel, target }).execute()
    }
  })
  await storage.close()
  return shop
}

describe('sav webhooks retry with a filter', () => {
  it('counts with --dry-run, asks for --yes without a terminal, and changes nothing', async () => {
    const shop = await withFailures(3)
    const retry = (...filter: string[]) => shop.json(['webhooks', 'retry', '--dry-run', ...filter])
    expect(await retry()).toEqual({ matched: 3, retried: 0 })
    expect(await retry('--state', 'pending')).toEqual({ matched: 1, retried: 0 })
    expect(await retry('--event', 'sav.closed')).toEqual({ matched: 0, retried: 0 })
    expect(await retry('--since', '2026-01-16')).toEqual({ matched: 0, retried: 0 })
    await shop.fails('webhooks retry --state failed', 2, /Send 3 deliveries again\? Confirm with --yes/)
    expect(await shop.json('webhooks history --state failed')).toHaveLength(3)
  })

  it('asks nothing if no delivery matches', async () => {
    const shop = await readyWorkplace()
    expect(await shop.sav('webhooks retry')).toEqual({
      code: 0,
      stdout: 'No delivery matches: nothing is sent again.\n',
      stderr: '',
    })
    expect(await shop.json('webhooks retry --since 2026-01-16')).toEqual({ matched: 0, retried: 0 })
    expect(await shop.json('purge')).toEqual({ matched: 0, deleted: 0, files: 0, files_found: 0 })
  })

  it('resends all matching deliveries, as a replay that is kept in the store', async () => {
    const shop = await withFailures(450)
    expect(await shop.json('webhooks retry --state failed --yes')).toEqual({
      matched: 450,
      retried: 450,
      replay: expect.stringMatching(/^rpl_/),
      state: 'done',
    })
    expect(await shop.json('webhooks history --state failed')).toEqual([])
    expect(await shop.json('webhooks history --state pending --limit 1000')).toHaveLength(451)
  })

  it('says that it leaves out deliveries whose endpoint was removed', async () => {
    const shop = await withFailures(2)
    const [endpoint] = await shop.json<{ id: string }[]>('webhooks list')
    await shop.json(['webhooks', 'remove', String(endpoint?.id), '--yes'])
    await shop.shows(
      'webhooks retry --yes',
      0,
      '0 of 3 deliveries will be sent again at once.\nThe others are being attempted right now, or their endpoint was removed.\n',
    )
    const id = String(endpoint?.id)
    const leftOut = (count: string) => `Left out, since their endpoint was removed: ${count}.\n`
    for (const [which, dryRun, wet] of [
      [['dlv_old000000'], leftOut('1 delivery'), null],
      [['--endpoint', id], leftOut('3 deliveries'), `Nothing is sent again.\n${leftOut('3 deliveries')}`],
    ] as const) {
      const { stdout } = await shop.sav(['webhooks', 'retry', '--dry-run', ...which])
      expect(stdout).toBe(`0 deliveries would be sent again.\n${dryRun}`)
      if (wet !== null) expect((await shop.sav(['webhooks', 'retry', ...which])).stdout).toBe(wet)
    }
    await shop.shows(
      'webhooks retry dlv_old000000',
      1,
      `0 of 1 delivery will be sent again at once.\nEndpoint ${endpoint?.id} was removed: nothing is sent there any more.\n`,
    )
  })

  it('says that deliveries to a disabled endpoint wait until it is enabled', async () => {
    const shop = await withFailures(3)
    const [endpoint] = await shop.json<{ id: string }[]>('webhooks list')
    const id = String(endpoint?.id)
    await shop.json(['webhooks', 'disable', id])
    const waits = `Endpoint ${id} is disabled: its deliveries wait until \`sav webhooks enable ${id}\`.\n`
    for (const [args, sentence] of [
      [['--dry-run'], '3 deliveries would be sent again.'],
      [['--event', 'sav.closed', '--dry-run'], '0 deliveries would be sent again.'],
      [['dlv_old000000'], '1 of 1 delivery will be sent again.'],
      [['--yes'], '2 of 2 deliveries will be sent again.'],
      [['--state', 'pending', '--endpoint', id, '--yes'], '4 of 4 deliveries will be sent again.'],
    ] as const) {
      const { code, stdout } = await shop.sav(['webhooks', 'retry', ...args])
      expect([code, stdout]).toEqual([0, sentence.startsWith('0') ? `${sentence}\n` : `${sentence}\n${waits}`])
    }
  })

  it('leaves an interrupted replay in the store; the doctor shows it, and --cancel stops it', async () => {
    const shop = await withFailures(450)
    const interrupted = await shop.sav('webhooks retry --yes --json', {}, { stopAtOnce: true })
    expect(interrupted.code).toBe(130)
    const { replay } = JSON.parse(interrupted.stdout)
    expect(await shop.json('doctor')).toMatchObject({ running_replays: [{ id: replay, matched: 450 }] })
    expect(await shop.json(['webhooks', 'retry', '--cancel', replay])).toMatchObject({ replay, state: 'cancelled' })
    expect(await shop.json('doctor')).toMatchObject({ running_replays: [] })
    expect((await shop.json<unknown[]>('webhooks history --state failed')).length).toBeGreaterThan(0)
  })
})

it('sav purge counts old rows with --dry-run, and deletes them with --yes', async () => {
  const shop = await withFailures(3)
  const storage = await openSqlite(`${shop.dir}/sav-data/sav.db`)
  const old = { created_at: '2020-01-15T10:30:00.000Z' }
  await storage.db.updateTable('deliveries').set(old).where('state', '=', 'failed').execute()
  await storage.db.updateTable('failed_deliveries').set(old).execute()
  await storage.close()
  expect(await shop.json('purge --dry-run')).toEqual({ matched: 3, deleted: 0 })
  expect((await shop.sav('purge')).code).toBe(2)
  expect(await shop.json('purge --yes')).toEqual({ matched: 3, deleted: 3, files: 0, files_found: 0 })
  expect(await shop.json('webhooks history')).toHaveLength(1)
  expect(await shop.json('purge --dry-run')).toEqual({ matched: 0, deleted: 0 })
})
