import { startBarePostgres } from '#bare-postgres'
import { alternate, type Row, rate, type Settings, watched } from '#bench'
import { creating } from '#creating'
import { query, startPostgres } from '#postgres'
import { scratch, startServer } from '#processes'
import { addAccounts, fillShop, type Shop } from '#shop'
import { shopEnv } from '#shop-env'

const rounds = 3
const accounts = 16

/**
 * Like `create`, on PostgreSQL on the same machine, in a shop of 2,000 cases: first in one account, whose creations
 * wait for each other since references have no gaps; then spread evenly over 16 accounts. About 30 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  using folder = scratch()
  await using postgres = await startPostgres()
  const env = shopEnv(folder.path, await postgres.create('sav'))
  const receivers = ['http://127.0.0.1:9/one', 'http://127.0.0.1:9/two']
  const shop = await fillShop(folder.path, env, { cases: 2000, days: 10, receivers })
  const names = Array.from({ length: accounts - 1 }, (_, n) => `account-${n}`)
  const others = await addAccounts(env, names, receivers)
  // Autovacuum would do this a minute later; `create-fresh-postgres` measures without it.
  await query(env.SAV_DATABASE, 'vacuum analyze')
  await using server = await startServer(['--no-worker'], { folder: folder.path, env })

  await using bare = await startBarePostgres(postgres)

  const beside = async (name: string, callers: readonly Shop[]): Promise<Row> => {
    const work = async () => (await creating({ port: server.port, callers, say })).perSecond
    const creations = watched({ work, delay: () => server.delay() })
    const measured = await alternate({
      rounds,
      subject: creations.subject,
      baseline: async () => (await creating({ port: bare.value.port, callers, say })).perSecond,
      say,
    })
    return { ...rate(name, 'requests/s', measured, 0.25), delay: creations.delay() }
  }
  return [await beside('create-postgres', [shop]), await beside('create-postgres-accounts', [shop, ...others])]
}
