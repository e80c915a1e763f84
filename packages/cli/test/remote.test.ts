import { describe, expect, it } from 'vitest'
import { png } from './images.js'
import { readyWorkplace, workplace } from './workplace.js'

/** A service, and somewhere else a person with a key. */
async function remotePlace() {
  const shop = await readyWorkplace()
  const [key, url] = [await shop.newKey(), await shop.serve().url()]
  return { shop, elsewhere: await workplace({ SAV_API_KEY: key }), url }
}

describe('cases over the network', () => {
  it('are created, listed and shown as on the store', async () => {
    const { shop, elsewhere, url } = await remotePlace()
    const photo = await elsewhere.write('a.png', png)
    const create = ['cases', 'create', '--client-id', '1', '--description', 'Une porte à régler', '--photo', photo]
    const created = await elsewhere.json<{ id: number; reference: string }>([...create, '--url', url])
    expect(created).toMatchObject({ id: 1 })
    const list = ['cases', 'list', '--statut', 'ouvert']
    expect(await elsewhere.json(list, { SAV_URL: url })).toEqual(await shop.json(list))
    for (const id of ['1', created.reference])
      expect(await elsewhere.json(['cases', 'show', id, '--url', url])).toEqual(await shop.json(['cases', 'show', id]))
    expect((await elsewhere.sav(['cases', 'show', '1', '--url', url])).stdout).toMatch(/Une porte à régler/)
  })

  it('end with the exit code of what was refused, and never tell the key', async () => {
    const { elsewhere, url } = await remotePlace()
    const codes: [string[], number, RegExp, Record<string, string>?][] = [
      [['cases', 'show', '9'], 3, /404 Case not found/],
      [['cases', 'show', 'SAV-2026-09999'], 3, /SAV-2026-09999/],
      [['cases', 'create', '--client-id', '1', '--description', 'court'], 2, /description: /],
      [['cases', 'list'], 4, /401 /, { SAV_API_KEY: 'sav_live_hunter2' }],
      [['cases', 'list'], 5, /cannot be reached: /, { SAV_URL: 'http://127.0.0.1:1' }],
      [['cases', 'update', '1', '--statut', 'en_cours'], 2, /works on a store, and not on a service: unset SAV_URL/],
    ]
    for (const [command, code, message, env = {}] of codes) {
      const ran = await elsewhere.sav(command, { SAV_URL: url, ...env })
      expect([command, ran.code, ran.stderr]).toEqual([command, code, expect.stringMatching(message)])
      expect(ran.stderr).not.toMatch(/sav_live_|hunter2/)
    }
    const without = await elsewhere.sav(['cases', 'list', '--url', url], { SAV_API_KEY: '' })
    expect([without.code, without.stderr]).toEqual([2, 'SAV_API_KEY: is missing beside SAV_URL\n'])
  })
})
