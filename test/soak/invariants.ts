import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Installation } from './installation.ts'
import type { Receiver } from './receivers.ts'
import type { Ledger } from './shop-day.ts'

interface Case {
  readonly id: number
  readonly reference: string
  readonly statut: string
}

/** The figures that are measured once a day. */
export interface DayFigures {
  readonly memory: Readonly<Record<'api' | 'worker', number>>
  readonly store: number
  /**
   * The size of the reports in the store, in MB. It is subtracted from the store's size, which is compared with the
   * number of cases: on busy cores, a report is drawn long after its close.
   */
  readonly reports: number
  readonly log: number
  readonly cases: number
}

interface SoakRun {
  readonly installation: Installation
  readonly ledger: Ledger
  readonly receivers: readonly Receiver[]
  readonly days: readonly DayFigures[]
  readonly folder: string
  /** When the run began, by the shop's clock. */
  readonly begunAt: number
}

interface Visit {
  readonly id: number
  readonly poseur: { readonly id: number }
  readonly debut: string
  readonly fin: string
  readonly statut: string
}

const week = 7 * 24 * 3_600_000

/** Waits until no delivery is due, and retries those that failed because of a receiver. */
export async function settle({ installation, receivers }: Pick<SoakRun, 'installation' | 'receivers'>): Promise<void> {
  for (const receiver of receivers) receiver.recover()
  const endpoints = await installation.sav<{ id: string; statut: string }[]>(['webhooks', 'list'])
  for (const { id } of endpoints) await installation.sav(['webhooks', 'enable', id])
  const waiting = (state: string) =>
    installation.sav<object[]>(['webhooks', 'history', '--state', state, '--limit', '1000'])
  for (let round = 0; round < 300; round += 1) {
    const [pending, failed] = [await waiting('pending'), await waiting('failed')]
    if (pending.length === 0 && failed.length === 0) return
    if (pending.length === 0) await installation.sav(['webhooks', 'retry', '--state', 'failed', '--yes'])
    await delay(1000)
  }
}

/** Sentences about each broken invariant; empty if all held. */
export async function brokenInvariants({
  installation,
  ledger,
  receivers,
  days,
  folder,
  begunAt,
}: SoakRun): Promise<string[]> {
  const broken: string[] = [...ledger.surprises, ...installation.faults]
  const expectThat = (holds: boolean, sentence: string) => {
    if (!holds) broken.push(sentence)
  }
  const cases = await installation.sav<Case[]>(['cases', 'list', '--all'])
  const stored = new Map(cases.map(({ id, reference }) => [id, reference]))
  const lost = [...ledger.created].filter(([id, reference]) => stored.get(id) !== reference)
  expectThat(lost.length === 0, `${lost.length} acknowledged cases are lost: ${JSON.stringify(lost.slice(0, 3))}`)
  const surplus = cases.length - ledger.created.size
  expectThat(surplus === 0, `${surplus} cases more than were asked for`)
  expectThat(new Set(stored.values()).size === cases.length, 'a reference is given twice')
  const reopened = cases.filter(({ id, statut }) => ledger.closed.has(id) && statut !== 'clos')
  expectThat(reopened.length === 0, `${reopened.length} closed cases are open`)

  const visits: Visit[] = []
  for (let weeks = 0; weeks < 15; weeks += 1) {
    const date = new Date(begunAt + weeks * week).toISOString().slice(0, 10)
    visits.push(...(await installation.sav<Visit[]>(['planning', 'week', '--date', date])))
  }
  const found = new Set(visits.map(({ id }) => id))
  const missing = [...ledger.booked].filter((id) => !found.has(id))
  expectThat(missing.length === 0, `${missing.length} acknowledged visits are lost`)
  expectThat(found.size <= ledger.booked.size, `${found.size - ledger.booked.size} visits more than were booked`)
  // Past or cancelled visits occupy nobody's time.
  const coming = visits.filter(({ statut }) => ['propose', 'planifie', 'confirme', 'en_cours'].includes(statut))
  const taken = coming.toSorted((a, b) => a.poseur.id - b.poseur.id || Date.parse(a.debut) - Date.parse(b.debut))
  const twice = taken.filter(({ poseur, debut }, index) => {
    const before = taken[index - 1]
    return before?.poseur.id === poseur.id && Date.parse(before.fin) > Date.parse(debut)
  })
  expectThat(twice.length === 0, `${twice.length} visits overlap`)

  const bound = installation.kills * 64
  for (const receiver of receivers) {
    for (const [kind, wanted] of [
      ['sav.created', ledger.created],
      ['sav.closed', ledger.closed],
    ] as const) {
      const told = receiver.cases(kind)
      const missing = [...wanted.keys()].filter((id) => !told.has(id))
      expectThat(missing.length === 0, `${receiver.name} did not get ${kind} of ${missing.length} cases`)
    }
    const doubled = [...receiver.counts.values()].reduce((sum, count) => sum + count - 1, 0)
    // A call that the sender gave up on may have been accepted all the same. So duplicates are counted only at the
    // receiver that always answers in time.
    if (receiver.name === 'good')
      expectThat(doubled <= bound, `${doubled} deliveries came twice, of at most ${bound} that kills explain`)
  }

  const verified = await installation.check<{ checked: number; broken: object[] }>([
    'evidence',
    'verify',
    '--files',
    'all',
  ])
  expectThat(verified.broken.length === 0, `evidence: ${JSON.stringify(verified.broken.slice(0, 3))}`)
  expectThat(verified.checked >= ledger.closed.size, `${verified.checked} closes checked of ${ledger.closed.size}`)

  const backup = await installation.newestBackup()
  const restored = join(folder, 'restored.db')
  const back = await installation.check<{ broken: object[]; cases: number }>([
    'restore',
    backup,
    '--to',
    `sqlite:${restored}`,
  ])
  expectThat(back.broken.length === 0 && back.cases > 0, `the newest backup restores ${JSON.stringify(back)}`)

  const file = join(folder, 'sav-data/sav.db')
  if (existsSync(file)) {
    const bytes = Buffer.concat(
      [file, `${file}-wal`].filter((path) => existsSync(path)).map((path) => readFileSync(path)),
    )
    const kept = ledger.erased.filter(({ name }) => bytes.includes(name))
    expectThat(kept.length === 0, `${kept.length} of ${ledger.erased.length} erased names are in the files`)
  }
  return [...broken, ...notLived(ledger, installation.kills), ...growth(days)]
}

/** Names the kinds of events that never happened in the run. The run proves nothing about these. */
export function notLived(
  { created, booked, closed, erased }: Pick<Ledger, 'created' | 'booked' | 'closed' | 'erased'>,
  kills: number,
): string[] {
  return (
    [
      ['case was created', created.size],
      ['visit was booked', booked.size],
      ['case was closed', closed.size],
      ['client was erased', erased.length],
      ['process was killed', kills],
    ] as const
  ).flatMap(([what, count]) => (count > 0 ? [] : [`no ${what}: run it for longer`]))
}

/**
 * Sentences about memory and files that grow. The last quarter of the days is compared with the second one, since the
 * first is the warm-up.
 */
export function growth(days: readonly DayFigures[]): string[] {
  if (days.length < 8) return []
  const quarter = Math.floor(days.length / 4)
  const of = (from: number, read: (day: DayFigures) => number) => {
    const values = days.slice(from, from + quarter).map(read)
    return values.reduce((sum, value) => sum + value, 0) / values.length
  }
  const ratio = (read: (day: DayFigures) => number) => of(days.length - quarter, read) / of(quarter, read)
  return (
    [
      ['memory of the API', ratio(({ memory }) => memory.api), 1.25],
      ['memory of the worker', ratio(({ memory }) => memory.worker), 1.25],
      [
        'the store for each case, without reports',
        ratio(({ store, reports, cases }) => (store - reports) / cases || 1),
        1.25,
      ],
      ['the write-ahead log', ratio(({ log }) => Math.max(log, 8)), 2],
    ] as const
  ).flatMap(([what, grown, limit]) =>
    grown <= limit ? [] : [`${what} has grown to ${grown.toFixed(2)} times what it was`],
  )
}
