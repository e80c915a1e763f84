import { sendBare } from '#bare-sender'
import { medianBy, type Row, rate, type Settings, shown } from '#bench'
import type { Contender } from '#contenders/contender'
import { graphileWorker } from '#contenders/graphile-worker'
import { pgBoss } from '#contenders/pg-boss'
import { sav } from '#contenders/sav'
import { delivering } from '#delivering'
import { type Postgres, query, startPostgres } from '#postgres'
import { scratch } from '#processes'
import { type Receiver, startReceiver } from '#receiver'

const rounds = 3

/**
 * Like `deliver`, from a PostgreSQL that shares the machine, and beside what else delivers webhooks from there: a job
 * queue and undici, tuned as their documentation says. All of them sign the same way, post with 64 in flight and 5 s
 * each, may try six times, and record status, duration and answer. About 90 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  using folder = scratch()
  await using receiver = await startReceiver()
  await using postgres = await startPostgres()
  const [us, ...others] = [sav(folder.path), pgBoss, graphileWorker] as const
  say('filling a database for each')
  await Promise.all(
    [us, ...others].map(async (contender) =>
      contender.fill({ database: await postgres.create(filled(contender)), url: receiver.url }),
    ),
  )

  const turns: { bare: number; byName: Map<string, number> }[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const byName = new Map<string, number>()
    for (const contender of [us, ...others]) byName.set(contender.name, await work(contender, { postgres, receiver }))
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
    rate(
      'deliver-postgres',
      'deliveries/s',
      beside(({ bare }) => bare),
      0.4,
    ),
    ...others.map(({ name }) =>
      rate(
        `deliver-postgres-${name}`,
        'deliveries/s',
        beside(({ byName }) => byName.get(name)),
        3,
      ),
    ),
  ]
}

const filled = ({ name }: Contender) => `${name.replace('-', '_')}_filled`

/** On a fresh copy of what `contender` was given. */
async function work(contender: Contender, { postgres, receiver }: { postgres: Postgres; receiver: Receiver }) {
  const database = await postgres.create('working', filled(contender))
  try {
    const { perSecond } = await delivering({
      receiver,
      start: () => contender.start({ database }),
      recorded: async () => Number((await query(database, contender.recorded))[0]?.['count']),
    })
    return perSecond
  } finally {
    await postgres.drop('working')
  }
}
