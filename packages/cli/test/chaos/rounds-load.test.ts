import { expect, it } from 'vitest'
import { ownTime } from '../../../../test/own-time.js'
import { call, local, readyWorkplace } from '../workplace.js'
import { isFullCount } from './full-count.js'

const date = '2027-04-05'
/** The size of the large day. */
const [poseurs, visitsEach] = [16, 8]
const towns = ['69003 Lyon', '69100 Villeurbanne', '69700 Givors', '69150 Décines', '69330 Meyzieu', '38280 Janneyrias']

it.runIf(isFullCount)(
  'an account gets a preview of its small day within a second while another asks for 100 previews of 128 visits',
  async () => {
    const shop = await readyWorkplace({ ...local, SAV_RATE_LIMIT: 'off', SAV_LOG_LEVEL: 'warn' })
    await shop.json('accounts add voisin')
    const keyOf = async (account: string) =>
      (
        await shop.json<{ key: string }>([
          ...['keys', 'create', '--account', account, '--name', 'agenda'],
          ...['--permissions', 'planning:read,planning:write,directory:read,directory:write'],
        ])
      ).key
    const service = shop.start('serve --port 0 --no-worker')
    const url = await service.url()

    /** Fills the day with `people` poseurs and `visits` visits for each. */
    async function fill(key: string, people: number, visits: number) {
      const send = async (method: string, path: string, body: unknown) => {
        const answer = await call(url, key, method, path, body)
        expect(answer.status, JSON.stringify(answer.body)).toBe(201)
        return answer.body.data.id
      }
      for (let person = 0; person < people; person += 1) {
        const poseur_id = await send('POST', '/api/v1/poseurs', { nom: `Poseur ${person}` })
        for (let visit = 0; visit < visits; visit += 1) {
          const [code_postal, ville] = towns[(person * 5 + visit * 7) % towns.length]?.split(' ') ?? []
          const client = { nom: `Client ${person}-${visit}`, prenom: 'Ida', lieu: { code_postal, ville } }
          const client_id = await send('POST', '/api/v1/clients', client)
          const debut = new Date(Date.UTC(2027, 3, 5, 6, visit * 60)).toISOString()
          await send('POST', '/v1/planning/rdv', { poseur_id, client_id, debut, duree_minutes: 30 + (visit % 3) * 10 })
        }
      }
    }
    const [large, small] = [await keyOf('default'), await keyOf('voisin')]
    await fill(large, poseurs, visitsEach)
    await fill(small, 1, 2)

    const preview = (key: string) => call(url, key, 'POST', '/v1/planning/tournees/optimiser', { date, mode: 'apercu' })
    const statuses: number[] = []
    const asked = Promise.all(
      Array.from({ length: 100 }, async () => {
        statuses.push((await preview(large)).status)
      }),
    )
    while (statuses.length < 97) await new Promise(setImmediate)
    expect(new Set(statuses)).toEqual(new Set([429]))
    // The limit of one second includes the start of a thread, in the first of these previews.
    for (const _ of [1, 2, 3]) {
      const took = ownTime(service.process.pid)
      expect((await preview(small)).status).toBe(200)
      expect(took()).toBeLessThan(1000)
      expect(statuses.length, 'the large day is still being planned').toBeLessThan(100)
    }
    await asked
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
  },
  120_000,
)
