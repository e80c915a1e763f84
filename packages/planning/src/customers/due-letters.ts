import { type Job, toInstant } from '@sav/core/feature'
import type { Clock, Storage } from '@sav/core/ports'
import type { CustomerLetters } from '../appointments/customer-letters.js'
import { planningStore } from '../appointments/planning-store.js'

const everyMs = 1000
const batch = 100

/** Writes the letters that waited for further changes. Several processes may run it: each letter is written once. */
export function dueLettersJob({
  storage,
  clock,
  letters,
}: {
  readonly storage: Storage
  readonly clock: Clock
  readonly letters: CustomerLetters
}): Job {
  return {
    name: 'letters on appointments',
    everyMs,
    async run() {
      for (;;) {
        const at = toInstant(clock.now())
        const due = await storage.reads.of(planningStore).dueLetters(at, batch)
        for (const rdv of due) await storage.transaction((tx) => letters.writeDue(tx, rdv, at))
        if (due.length < batch) return
      }
    },
  }
}
