import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { nameOf } from '../../../../test/postgres.js'
import { migratedStore } from '../stores.js'
import { call } from '../workplace.js'
import { isFullCount } from './full-count.js'
import { expectQuietEnd, installation, observer } from './installation.js'
import { postgresServer } from './postgres-server.js'
import { hasReplication, replicatedPostgres } from './replicated-postgres.js'
import { tcpRelay } from './tcp-relay.js'
import { expectNothingLost, traffic } from './traffic.js'

interface Server {
  /** The address at which the service reaches its database. */
  readonly url: string
  readonly direct: () => string
  readonly toReadOnly: () => Promise<unknown>
  readonly toWritable: () => Promise<unknown>
}

const causes: Readonly<Record<string, () => Promise<Server>>> = {
  async 'a setting of the database'() {
    const url = await migratedStore()
    const { query } = await observer(url)
    const name = nameOf(url)
    const ofService = "datname = current_database() and application_name like 'sav%'"
    return {
      url,
      direct: () => url,
      async toReadOnly() {
        await query(`alter database ${name} set default_transaction_read_only = on`)
        await query(`select pg_terminate_backend(pid) from pg_stat_activity where ${ofService}`)
      },
      toWritable: () => query(`alter database ${name} reset default_transaction_read_only`),
    }
  },
  ...(isFullCount && {
    async 'a setting of the server'() {
      const { url } = await postgresServer()
      const { query } = await observer(url.href)
      const set = async (value: string) => {
        await query(`alter system set default_transaction_read_only = ${value}`)
        await query('select pg_reload_conf()')
      }
      return { url: url.href, direct: () => url.href, toReadOnly: () => set('on'), toWritable: () => set('off') }
    },
  }),
  ...(hasReplication &&
    isFullCount && {
      async 'a standby that is not promoted yet'() {
        const pair = await replicatedPostgres()
        const address = await tcpRelay(pair.url())
        return {
          url: address.url.href,
          direct: () => pair.url().href,
          async toReadOnly() {
            await pair.killPrimary()
            address.pointAt(pair.standbyUrl())
          },
          toWritable: () => pair.promote(),
        }
      },
    }),
}

describe('a service whose database is read-only', () => {
  it.each(Object.keys(causes))(
    'because of %s answers reads and refuses writes, until the database is writable again',
    async (name) => {
      const { url, direct, toReadOnly, toWritable } = (await causes[name]?.()) ?? expect.fail(name)
      const { told, key, urls, create, shop, services, processes } = await installation(url, {
        apis: 2,
        workers: 1,
        receivers: 1,
      })
      const { acknowledged, others, servedAgain, stop } = traffic({ create, clients: 4, processes })
      const readiness = async () => Promise.all(urls.map(async (each) => (await fetch(`${each}/readyz`)).status))
      const lists = () => Promise.all(urls.map(async (each) => (await call(each, key, 'GET', '/api/v1/sav')).status))
      await servedAgain()

      await toReadOnly()
      await expect.poll(readiness).toEqual([503, 503])
      const before = acknowledged.length
      for (let n = 0; n < (isFullCount ? 5 : 2); n += 1) {
        expect(await lists()).toEqual([200, 200])
        await delay(300)
      }
      // Failures without a key, as of `/readyz`, are logged once a minute, so the log may lack this one.
      const said = /"endpoint":"\/api\/v1\/sav","status":503,.*The database is read-only\./
      for (const service of services) await expect.poll(() => service.stderr).toMatch(said)
      expect(acknowledged.length).toBe(before)
      expect(await shop.json('cases list')).not.toEqual([])
      const ordered = ['cases', 'create', '--client-id', '1', '--description', 'Une porte de plus']
      await shop.fails(ordered, 5, /^The database is read-only\. Connect to the primary server/)
      await shop.shows('doctor', 1, /is read-only: promote/)
      await toWritable()
      const backMs = await servedAgain()
      await expect.poll(readiness).toEqual([200, 200])
      await stop()
      const found = await expectNothingLost({ database: direct(), acknowledged, others, receiver: told[0] })
      if (isFullCount)
        console.info({ name, acknowledged: acknowledged.length, found, others, backMs: Math.round(backMs) })
      await expectQuietEnd(processes)
    },
  )
})
