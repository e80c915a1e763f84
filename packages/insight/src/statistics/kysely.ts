import { earlierVisits, type QueryParams, Repository, statement, table, tables } from '@sav/storage-kysely/feature'
import { sql } from 'kysely'
import type { Period, StatisticsReads } from './statistics-store.js'

type OfPeriod = Period & { readonly account_id: string }
type Row<Name extends Exclude<keyof StatisticsReads, 'openCreated'>> = Awaited<
  ReturnType<StatisticsReads[Name]>
>[number]

// Uses the index cases_statut.
const countOpen = statement(
  (_, p: QueryParams<OfPeriod>) => sql<{ total: number }>`
  select count(*) as total from ${table('cases')}
  where account_id = ${p('account_id')} and statut in ('ouvert', 'en_cours')
    and date_creation >= ${p('from')} and date_creation < ${p('until')}`,
)
// Reads only the index cases_recent, not the table.
const countCreated = statement(
  (_, p: QueryParams<OfPeriod>) => sql<Row<'created'>>`
  select type_probleme as type, count(*) as nombre from ${table('cases')}
  where account_id = ${p('account_id')} and date_creation >= ${p('from')} and date_creation < ${p('until')}
  group by type_probleme`,
)
// Reads only the index cases_cloture, not the table.
const listClosed = statement(
  (_, p: QueryParams<OfPeriod>) => sql<Row<'closed'>>`
  select type_probleme as type, date_creation, date_cloture from ${table('cases')}
  where account_id = ${p('account_id')} and date_cloture >= ${p('from')} and date_cloture < ${p('until')}`,
)
// The joins begin with the index case_history_reouverture.
const listReopened = statement(
  (_, p: QueryParams<OfPeriod>) => sql<Row<'reopened'>>`
  select cases.type_probleme as type, cases.poseur_id
  from ${table('case_history')} cross join ${table('cases')}
  where case_history.account_id = ${p('account_id')} and case_history.type = 'reouverture'
    and case_history.date >= ${p('from')} and case_history.date < ${p('until')}
    and cases.account_id = case_history.account_id and cases.id = case_history.case_id`,
)
// The joins begin with the index interventions_date.
const listInterventions = statement(
  (_, p: QueryParams<OfPeriod>) => sql<Omit<Row<'interventions'>, 'pieces'> & { pieces: string }>`
  select cases.type_probleme as type, cases.date_creation, interventions.date_debut, interventions.pieces,
    (select count(*) + 1 ${earlierVisits('interventions')}) as rang
  from ${table('interventions')} cross join ${table('cases')}
  where interventions.account_id = ${p('account_id')}
    and interventions.date_debut >= ${p('from')} and interventions.date_debut < ${p('until')}
    and cases.account_id = interventions.account_id and cases.id = interventions.case_id`,
)
const listVisits = statement(
  (_, p: QueryParams<OfPeriod>) => sql<Row<'visits'>>`
  select poseur_id, debut, fin, trajet_avant_minutes from ${table('rdv')}
  where account_id = ${p('account_id')} and debut >= ${p('from')} and debut < ${p('until')} and statut = 'realise'`,
)

export class StatisticsRows extends Repository implements StatisticsReads {
  async openCreated(account_id: string, period: Period): Promise<number> {
    return (await this.db.one(countOpen, { account_id, ...period })).total
  }

  created(account_id: string, period: Period): Promise<Row<'created'>[]> {
    return this.db.all(countCreated, { account_id, ...period })
  }

  closed(account_id: string, period: Period): Promise<Row<'closed'>[]> {
    return this.db.all(listClosed, { account_id, ...period })
  }

  reopened(account_id: string, period: Period): Promise<Row<'reopened'>[]> {
    return this.db.all(listReopened, { account_id, ...period })
  }

  async interventions(account_id: string, period: Period): Promise<Row<'interventions'>[]> {
    const rows = await this.db.all(listInterventions, { account_id, ...period })
    return rows.map((row) => ({ ...row, ...tables.interventions.read({ pieces: row.pieces }) }))
  }

  visits(account_id: string, period: Period): Promise<Row<'visits'>[]> {
    return this.db.all(listVisits, { account_id, ...period })
  }
}
