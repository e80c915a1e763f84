import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../test/whole/opening.js'
import { readyWorkplace } from './workplace.js'

describe('a time that is shown to people', () => {
  it('is in the zone of the business, which is named once; times in JSON stay in UTC', async () => {
    const shop = await readyWorkplace({ SAV_TIME_ZONE: 'Indian/Reunion' })
    await shop.newCase()
    // 20:30 UTC on the 14th is 00:30 on the 15th in Réunion (UTC+4).
    const storage = await openSqlite(join(shop.dir, 'sav-data/sav.db'))
    await storage.db.updateTable('cases').set({ date_creation: '2026-01-14T20:30:05.000Z' }).execute()
    await storage.close()
    await shop.shows('cases list', 0, /ouvert +normale +2026-01-15 +Hélène/)
    await shop.shows('cases show 1', 0, /^Created +2026-01-15 00:30:05 \(Indian\/Reunion\)$/m)
    expect(await shop.json('cases show 1')).toMatchObject({ date_creation: '2026-01-14T20:30:05.000Z' })
    // A filter by day uses the same days as the list shows.
    expect(await shop.json('cases list --depuis 2026-01-15')).toHaveLength(1)
    expect(await shop.json('cases list --depuis 2026-01-16')).toHaveLength(0)
  })

  it('can be passed back as an option, and is relative where that is more useful', async () => {
    const shop = await readyWorkplace()
    await shop.json('webhooks add https://example.com/h --all-events')
    await shop.newCase()
    const { stdout } = await shop.sav('webhooks history')
    expect(stdout).toMatch(/CREATED \(Europe\/Paris\)/)
    expect(stdout).toMatch(/pending +0 +\d+ s ago/)
    const [shown = ''] = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.exec(stdout) ?? []
    const since = async (typed: string) => shop.json(['webhooks', 'history', '--since', typed])
    expect(await since(shown)).toHaveLength(1)
    const later = `${shown.slice(0, -2)}${String((Number(shown.slice(-2)) + 1) % 60).padStart(2, '0')}`
    if (!shown.endsWith('59')) expect(await since(later)).toHaveLength(0)
    expect((await shop.sav(['webhooks', 'history', '--since', '2026-01-15 25:00'])).code).toBe(2)
  })
})
