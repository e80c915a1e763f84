import { type CalendarOf, type Job, lazily, type Output, toInstant } from '@sav/core/feature'
import type { Account, Clock, Storage, Transaction } from '@sav/core/ports'
import * as z from 'zod'
import { type CustomerLetters, isAwaited, toldBy } from '../appointments/customer-letters.js'
import { daysAfter } from '../appointments/days.js'
import { planningStore } from '../appointments/planning-store.js'
import type { Rdv } from '../appointments/rdv.js'

const everyMs = 60_000
/** Reminders per transaction. */
const batch = 50
/** When reminders begin on the day before, in minutes of the local day: 17:00. */
const fromMinutes = 17 * 60

interface RemindersDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly calendarOf: CalendarOf
  readonly letters: CustomerLetters
}

/** The progress of a day's reminders: up to this appointment, by `debut`, then `id`. */
const progress = lazily(() => z.object({ date: z.string(), debut: z.string(), id: z.int() }))
type Progress = Output<typeof progress>

/**
 * Reminds customers of their appointments on the next local day, from 17:00 on, for accounts with reminders. Several
 * processes may run it, but each day is done once: a reminder and the progress are written in one transaction. An
 * appointment booked since 17:00 gets no reminder: it was just agreed.
 */
export function remindersJob(deps: RemindersDeps): Job {
  const { storage, clock, calendarOf } = deps
  return {
    name: 'reminders',
    everyMs,
    async run() {
      for (const account of await storage.reads.accounts.list()) {
        if (account.rappel_rdv_depuis === null) continue
        const calendar = calendarOf(account.fuseau)
        const today = calendar.dateAt(clock.now())
        const since = calendar.timeOfDay(today, fromMinutes)
        if (clock.now() < since) continue
        const date = daysAfter(today, 1)
        const from = toInstant(calendar.startOfDay(date))
        const until = toInstant(calendar.timeOfDay(date, 1440))
        await remind(deps, account, { date, from, until, since: toInstant(since) })
      }
    },
  }
}

interface Day {
  readonly date: string
  readonly from: string
  readonly until: string
  /** When the reminders of this day begin. */
  readonly since: string
}

async function remind({ storage, clock, letters }: RemindersDeps, { id: account_id }: Account, day: Day) {
  const fact = `rdv_reminders ${account_id}`
  const { date, until, since } = day
  const isDone = (reached: Progress) => reached.debut >= until
  if (isDone(reachedIn(await storage.reads.facts.get(fact), day))) return
  for (let done = false; !done; ) {
    done = await storage.transaction(async (tx) => {
      const reached = reachedIn(await tx.facts.get(fact), day)
      if (isDone(reached)) return true
      const coming = await comingAfter(tx, account_id, reached, until)
      const at = toInstant(clock.now())
      for (const rdv of coming) if (isAwaited(rdv) && rdv.date_creation < since) await remindOf(tx, rdv, letters, at)
      const last = coming.at(-1)
      const next: Progress = last ? { date, debut: last.debut, id: last.id } : { date, debut: until, id: 0 }
      await tx.facts.set(fact, JSON.stringify(next))
      return last === undefined
    })
  }
}

async function remindOf(tx: Transaction, { account_id, id }: Rdv, letters: CustomerLetters, at: string): Promise<void> {
  const rdv = await tx.of(planningStore).lock(account_id, id)
  const event_id = rdv && isAwaited(rdv) ? await letters.write(tx, rdv, { about: 'rappel', at }) : null
  if (rdv && event_id) await tx.of(planningStore).update([{ ...rdv, derniere_lettre: toldBy(event_id, rdv) }])
}

function reachedIn(fact: string | null, { date, from }: Day): Progress {
  const reached = fact === null ? null : progress().parse(JSON.parse(fact))
  return reached?.date === date ? reached : { date, debut: from, id: 0 }
}

/** The next appointments; empty at the end. */
async function comingAfter(tx: Transaction, account_id: string, reached: Progress, until: string): Promise<Rdv[]> {
  const page = { page: 1, limite: batch, after: [reached.debut, reached.id] }
  return (await tx.of(planningStore).list(account_id, { from: reached.debut, until }, page)).items
}
