import { createApi, listen } from '@sav/http-node'
import { secureRandom, systemClock } from '@sav/http-node/runtime'
import { alternate, type Row, rate, type Settings } from '#bench'
import { composed } from '#composed'
import { creating } from '#creating'
import { listing } from '#listing'
import { scratch, startPart } from '#processes'
import { copyShop, fillShop } from '#shop'
import { type ShopEnv, shopEnv } from '#shop-env'

const rounds = 5
const cases = 2000

/**
 * Creations and pages of the list per second on the API with its audit, beside the same with an audit that writes
 * nothing, on a store of its own: the service has no switch for it. About 25 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  using folders = new DisposableStack()
  const [folder, other] = [folders.use(scratch()).path, folders.use(scratch()).path]
  const env = shopEnv(folder)
  const receivers = ['http://127.0.0.1:9/one', 'http://127.0.0.1:9/two']
  const shop = await fillShop(folder, env, { cases, days: 100, receivers })
  const withoutEnv = copyShop(env, other)
  await using audited = await startPart(import.meta.url, serve, { env, isAudited: true })
  await using unaudited = await startPart(import.meta.url, serve, { env: withoutEnv, isAudited: false })

  const compare = (measure: (port: number) => Promise<{ perSecond: number }>) =>
    alternate({
      rounds,
      subject: async () => (await measure(audited.value.port)).perSecond,
      baseline: async () => (await measure(unaudited.value.port)).perSecond,
      say,
    })
  return [
    rate('audit-create', 'requests/s', await compare((port) => creating({ port, callers: [shop], say })), 0.9),
    rate('audit-list', 'requests/s', await compare((port) => listing({ port, key: shop.key })), 0.9),
  ]
}

export async function serve({ env, isAudited }: { env: ShopEnv; isAudited: boolean }): Promise<{ port: number }> {
  const { sav } = await composed(env)
  const audit = isAudited ? sav.audit : { ...sav.audit, record: async () => {}, note: () => {} }
  const api = createApi({
    sav: { ...sav, audit },
    clock: systemClock,
    random: secureRandom,
    ready: async () => {},
    onCall: () => {},
    log: console.error,
  })
  await sav.serving.start()
  const { url } = await listen(api, { host: '127.0.0.1', port: 0 })
  return { port: Number(new URL(url).port) }
}
