import type { Suite } from '@sav/storage-contract'
import { appointmentContract } from './appointments.js'
import { calendarContract } from './calendars.js'
import { followUpContract } from './follow-ups.js'
import { rdvPageContract } from './rdv-pages.js'
import { planningWalkContract } from './walks.js'

/** The contract of planning's repositories, for `storageContract({ features })`. */
export function planningContract(suite: Suite): void {
  appointmentContract(suite)
  rdvPageContract(suite)
  calendarContract(suite)
  followUpContract(suite)
  planningWalkContract(suite)
}
