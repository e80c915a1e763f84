import { onTestFinished } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { listen } from '../../../http-node/src/index.js'
import { tokenOf } from '../../../people/test/people.js'
import type { Console, ConsoleResponse } from '../../src/console.js'
import { pages } from '../browser.js'
import { CuttingProxy } from './cutting-proxy.js'
import { type Installer, type Office, openOffice } from './office.js'
import { zone } from './samples.js'

/** A write that the service has done. */
interface DoneWrite {
  readonly path: string
  /** The secret of the session that made the call. */
  readonly secret: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface FieldShopOptions {
  /** Whether both visits belong to the same client. */
  readonly isOneClient?: boolean
  /** Resolves to the address that phones use for the service, instead of that of the proxy. */
  readonly reachedBy?: (url: string) => Promise<string>
}

/** A service in memory with two installers and two visits today, behind a proxy that serves the pages. */
export interface FieldShop extends Office {
  /** The address that phones use. */
  readonly url: string
  readonly proxy: CuttingProxy
  readonly bruno: Installer
  readonly karim: Installer
  /** The writes that the service has done, without repetitions. */
  readonly done: readonly DoneWrite[]
  /** The done writes whose path ends with this. */
  of(end: string): DoneWrite[]
  /** Serves another version of the worker from now on. */
  renewWorker(): void
  /** The user id and path of each done write. */
  doneBy(): Promise<[person: string | undefined, path: string][]>
  /** A token with which the user signs in. */
  invite(person: string): Promise<string>
  /** Reassigns a visit. */
  give(rdv_id: number, to: Installer): Promise<void>
  /** The content of a case's file. */
  fileOf(sav_id: number, sha256: string): Promise<Buffer>
}

export const description = 'La porte du four racle, en bas à droite, depuis la pose.'
export const resolution = 'Charnière réglée, porte contrôlée.'
const lieu = { ligne1: '12 quai Tilsitt', code_postal: '69002', ville: 'Lyon', acces: 'Code 14B' }

/** Today's date in `zone`, at this hour in UTC. At 11 and 12, that is today in each zone of the tests. */
export const todayAt = (hour: number): string => {
  const date = new Date().toLocaleDateString('sv-SE', { timeZone: zone })
  return `${date}T${hour}:00:00.000Z`
}

export async function openFieldShop(options: FieldShopOptions = {}): Promise<FieldShop> {
  const { isOneClient = false, reachedBy } = options
  let isRenewed = false
  const proxy = new CuttingProxy('', async (asked) => (isRenewed ? renewed(pages, asked) : pages(asked)))
  await proxy.listen()
  onTestFinished(() => proxy.close())
  const url = reachedBy === undefined ? proxy.url : await reachedBy(proxy.url)
  const storage = await memoryStorage()
  onTestFinished(() => storage.close())
  const office = await openOffice(storage, reachedBy === undefined ? {} : { publicUrl: url })
  const listener = await listen(office.api, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => listener.close())
  proxy.service = listener.url

  const { sav, actor } = office
  const textes_terrain = [resolution, 'Pièce à commander : passage à prévoir.']
  await sav.accounts.update(actor, { raison_sociale: 'Cuisines du Rhône', fuseau: zone, textes_terrain })
  const [bruno, karim] = [await office.installer('Bruno Petit'), await office.installer('Karim Benali')]
  const telephone = ['+33611223344', '+33478000000']
  const names = [
    { nom: 'Durand', prenom: 'Alice' },
    { nom: 'Lefèvre', prenom: 'Marc' },
  ]
  for (const [at, name] of names.entries()) {
    const adresse = '12 quai Tilsitt, 69002 Lyon'
    await sav.directory.clients.add(actor, { ...name, adresse, telephone: telephone[at] })
    await sav.cases.create(actor, { client_id: isOneClient ? 1 : at + 1, description })
    const visit = { sav_id: at + 1, poseur_id: bruno.poseur_id, debut: todayAt(11 + at), duree_minutes: 45, lieu }
    await sav.planning.book(actor, visit)
  }

  const done: DoneWrite[] = []
  const keys = new Set<string>()
  proxy.onAnswer = async ({ method, path, headers, body, status }) => {
    const key = headers['idempotency-key']?.toString()
    if (method === 'GET' || key === undefined || status >= 300 || keys.has(key)) return
    keys.add(key)
    done.push({ path, secret: secretIn(headers.cookie), body: JSON.parse(body.toString()) })
  }
  return {
    ...office,
    ...{ url, proxy, bruno, karim, done },
    of: (end) => done.filter(({ path }) => path.endsWith(end)),
    async doneBy() {
      const signedIn = await Promise.all(done.map(({ secret }) => sav.sessions.check(secret)))
      return done.map(({ path }, at) => [signedIn[at]?.user.id, path])
    },
    renewWorker() {
      isRenewed = true
    },
    invite: async (person) => tokenOf(await sav.users.invite(actor, person)),
    async give(rdv_id, { poseur_id }) {
      await sav.planning.change(actor, rdv_id, { poseur_id })
    },
    async fileOf(sav_id, sha256) {
      const file = await storage.reads.files.find('default', sav_id, sha256)
      return Buffer.from(file?.content ?? [])
    },
  }
}

const secretIn = (cookie = '') => /(?:^|; )__Host-sav=([^;]+)/.exec(cookie)?.[1] ?? ''

/** The same pages with another worker, as after an upgrade. */
async function renewed(console: Console, asked: Parameters<Console>[0]): Promise<ConsoleResponse> {
  if (!asked.target.endsWith('/sw.js')) return console(asked)
  const { status, headers, body } = await console({ ...asked, header: () => undefined })
  const kept = headers.flatMap((name, at, all) =>
    at % 2 || name === 'Content-Length' ? [] : [name, all[at + 1] ?? ''],
  )
  return { status, headers: kept, body: `${Buffer.from(body)}\n// The next one.` }
}
