import { sendBare } from '#bare-sender'
import { type Delay, medianBy, overall, type Row, rate, type Settings, shown } from '#bench'
import { graphileWorker } from '#contenders/graphile-worker'
import { pgBoss } from '#contenders/pg-boss'
import { sav } from '#contenders/sav'
import { usual } from '#delivering'
import { deliverFilled, filled } from '#filled-database'
import { startPostgres } from '#postgres'
import { scratch } from '#processes'
import { startReceiver } from '#receiver'

const rounds = 3

/**
 * Like `deliver`, from PostgreSQL on the same machine, beside other ways to deliver webhooks from there: job queues
 * with undici, tuned as their documentation recommends. All sign in the same way, send 64 at once with a timeout of 5
 * s, try up to six times, and record status, duration and answer. About 90 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  using folder = scratch()
  await using receiver = await startReceiver()
  await using postgres = await startPostgres()
  const [us, ...others] = [sav(folder.path), pgBoss, graphileWorker] as const
  say('filling a database for each program')
  await Promise.all(
    [us, ...others].map(async (contender) =>
      contender.fill({ database: await postgres.create(filled(contender)), url: receiver.url }),
    ),
  )

  const delays: Delay[] = []
  const turns: { bare: number; byName: Map<string, number> }[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const byName = new Map<string, number>()
    for (const contender of [us, ...others]) {
      const { perSecond, delay } = await deliverFilled(contender, usual, { postgres, receiver })
      byName.set(contender.name, perSecond)
      if (delay !== undefined) delays.push(delay)
    }
    const bare = await sendBare({ urls: [receiver.url] })
    say(
      `round ${round} of ${rounds}: ${[...byName].map(([name, value]) => `${name} ${shown(value)}`).join(', ')}, bare ${shown(bare)}`,
    )
    turns.push({ bare, byName })
  }
  const beside = (baseline: (turn: (typeof turns)[number]) => number | undefined) =>
    medianBy(
      turns.map((turn) => ({ figure: turn.byName.get(us.name) ?? 0, baseline: baseline(turn) ?? 0 })),
      ({ figure, baseline }) => figure / baseline,
    )
  return [
    {
      ...rate(
        'deliver-postgres',
        'deliveries/s',
        beside(({ bare }) => bare),
        0.45,
      ),
      delay: overall(delays),
    },
    ...others.map(({ name }) =>
      rate(
        `deliver-postgres-${name}`,
        'deliveries/s',
        beside(({ byName }) => byName.get(name)),
        2.5,
      ),
    ),
  ]
}
