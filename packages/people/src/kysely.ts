import { type FeatureTables, repository } from '@sav/storage-kysely/feature'
import { people } from './kysely/0001-people.js'
import { Sessions } from './kysely/sessions.js'
import { tables } from './kysely/tables.js'
import { Users } from './kysely/users.js'
import { sessionStore } from './sessions/session-store.js'
import { userStore } from './users/user-store.js'

/** The rows of this feature, for `openSqlite` and `openPostgres`. */
export const peopleTables: FeatureTables = {
  name: 'people',
  tables,
  migrations: { 'people-0001-people': people },
  repositories: [repository(userStore, (db) => new Users(db)), repository(sessionStore, (db) => new Sessions(db))],
}
