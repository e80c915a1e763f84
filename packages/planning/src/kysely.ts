import { type FeatureTables, repository } from '@sav/storage-kysely/feature'
import { planningStore } from './appointments/planning-store.js'
import { calendarStore } from './calendars/calendar-store.js'
import { rdvPageStore } from './customers/rdv-page-store.js'
import { followUpStore } from './follow-ups/follow-up-store.js'
import { planning } from './kysely/0001-planning.js'
import { Planning, RdvPages } from './kysely/appointments.js'
import { Calendars } from './kysely/calendars.js'
import { FollowUps } from './kysely/follow-ups.js'
import { tables } from './kysely/tables.js'

/** The rows of this feature, for `openSqlite` and `openPostgres`. */
export const planningTables: FeatureTables = {
  name: 'planning',
  tables,
  migrations: { 'planning-0001-planning': planning },
  repositories: [
    repository(planningStore, (db) => new Planning(db)),
    repository(rdvPageStore, (db) => new RdvPages(db)),
    repository(calendarStore, (db) => new Calendars(db)),
    repository(followUpStore, (db) => new FollowUps(db)),
  ],
}
