import { describe, expect, it } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { emptyDatabase } from '../stores.js'
import { call, workplace } from '../workplace.js'
import { expectQuietEnd, installation, observer, upTo } from './installation.js'
import { canKeepStatements, pooled, poolers } from './pooler.js'

for (const pooler of poolers)
  describe.runIf(needs(`PgBouncer (${pooler.path})`, 'the service behind a pooler', pooler.version !== null))(
    `behind PgBouncer ${pooler.version} in transaction mode`,
    () => {
      it.each(['the server itself', 'none'])('the service works with SAV_DATABASE_DIRECT: %s', async (listening) => {
        const direct = await emptyDatabase()
        const address = await pooled(direct, pooler, canKeepStatements(pooler) ? ['max_prepared_statements = 50'] : [])
        if (!canKeepStatements(pooler)) address.searchParams.set('prepare', 'false')
        const { shop, key, urls, told, create, post, processes } = await installation(address.href, {
          apis: 1,
          workers: 1,
          receivers: 1,
          settings: { SAV_DATABASE_DIRECT: listening === 'none' ? 'none' : direct },
        })
        const created = await Promise.all(upTo(60).map(create))
        expect(created.map(({ status }) => status)).toEqual(created.map(() => 201))
        const closed = await Promise.all(
          upTo(5).map((id) => post(id, `/api/v1/sav/${id}/cloturer`, { resolution: 'Charnière remplacée' })),
        )
        expect(closed.map(({ status }) => status)).toEqual(closed.map(() => 200))
        await expect.poll(() => told[0]?.counts.size).toBe(60)
        expect([...(told[0]?.counts.values() ?? [])].filter((times) => times !== 1)).toEqual([])
        const listed = await call(urls[0] ?? '', key, 'GET', '/api/v1/sav?statut=clos')
        expect([listed.status, listed.body.data.length]).toEqual([200, 5])
        expect(await shop.json('evidence verify')).toEqual({ checked: 5, broken: [] })
        expect(await shop.json('doctor')).toMatchObject({ ok: true, problems: [] })
        await expectQuietEnd(processes)
      })

      it.runIf(canKeepStatements(pooler))('a table can still be read after a migration has changed it', async () => {
        const direct = await emptyDatabase()
        const address = await pooled(direct, pooler, ['max_prepared_statements = 50'])
        const { key, urls } = await installation(address.href, { apis: 1, workers: 0, receivers: 0 })
        const create = (repeatable: string) =>
          fetch(`${urls[0]}/api/v1/sav`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${key}`,
              'content-type': 'application/json',
              'idempotency-key': repeatable,
              'x-request-timestamp': String(Math.floor(Date.now() / 1000)),
            },
            body: JSON.stringify({ client_id: 1, description: 'Une porte de plus à régler' }),
          })
        expect((await create('before')).status).toBe(201)
        const { query } = await observer(direct)
        await query('alter table answers add column more text')
        const replayed = await create('before')
        expect([replayed.status, (await create('after')).status]).toEqual([201, 201])
      })

      it('without prepared statements, a URL that lacks prepare=false is refused with the remedy', async () => {
        const off = canKeepStatements(pooler) ? ['max_prepared_statements = 0'] : []
        const address = await pooled(await emptyDatabase(), pooler, off)
        const shop = await workplace({ SAV_DATABASE: address.href })
        const remedy = /^A pooler .* keeps no prepared statements: add prepare=false to the URL, or .*\n$/
        expect(await shop.sav('init')).toMatchObject({ code: 5, stderr: expect.stringMatching(remedy) })
        address.searchParams.set('prepare', 'false')
        expect(await shop.json('init', { SAV_DATABASE: address.href })).toBeTruthy()
      })
    },
  )
