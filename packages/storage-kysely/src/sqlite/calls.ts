/** In which a call inside a transaction of Kysely's stands while it is under way. */
export const calls = 'sav_call'

export const tableOfCalls = (name: string) => `create temp table if not exists ${name}
  (id integer primary key, none integer references ${name} (id) deferrable initially deferred)`

/** A row that refers to none: as long as it is there nothing can be committed, where foreign keys are on. */
export const refuseCommit = (name: string) => `insert into temp.${name} values (1, 2)`

export const callsUnderWay = `select id from temp.${calls}`

export const noMoreCalls = `delete from temp.${calls}`
