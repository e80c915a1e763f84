import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** Appointments and who is taken by them, what they leave in a case, hours and skills, and where everybody is. */
export const planning = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of definitions(dialect, name)) await definition.execute(db)
  },
})

function definitions({ ddl }: Dialect, name: NameOf): RawBuilder<unknown>[] {
  const { text, integer, identity, clustered } = ddl
  return [
    sql`alter table ${name('accounts')} add column lieu ${text}`,
    sql`alter table ${name('accounts')} add column zone_feries ${text} not null default 'FR'`,
    sql`alter table ${name('accounts')} add column fuseau ${text}`,
    sql`alter table ${name('clients')} add column lieu ${text}`,
    sql`alter table ${name('poseurs')} add column email ${text}`,
    sql`alter table ${name('poseurs')} add column couleur ${text}`,
    sql`alter table ${name('poseurs')} add column lieu ${text}`,
    sql`alter table ${name('poseurs')} add column lieu_retour ${text}`,

    sql`create table ${name('rdv')} (
      account_id ${text} not null,
      id ${identity},
      type ${text} not null,
      statut ${text} not null,
      sav_id ${integer},
      client_id ${integer} not null,
      poseur_id ${integer} not null,
      debut ${text} not null,
      fin ${text} not null,
      fuseau ${text} not null,
      fenetre_debut ${text},
      fenetre_fin ${text},
      lieu ${text},
      trajet_avant_minutes ${integer},
      tournee_date ${text},
      tournee_ordre ${integer},
      intervention_id ${integer},
      retard_minutes ${integer},
      notes ${text},
      expire_a ${text},
      motif_annulation ${text},
      bilan ${text},
      date_creation ${text} not null,
      date_modification ${text} not null,
      version ${integer} not null,
      unique (account_id, id),
      foreign key (account_id, sav_id) references ${name('cases')} (account_id, id),
      foreign key (account_id, client_id) references ${name('clients')} (account_id, id),
      foreign key (account_id, poseur_id) references ${name('poseurs')} (account_id, id)
    )`,
    sql`create index ${name('rdv_days')} on ${name('rdv')} (account_id, debut, id, statut, type)`,
    sql`create index ${name('rdv_client')} on ${name('rdv')} (account_id, client_id, debut, id, statut, type)`,
    sql`create index ${name('rdv_case')} on ${name('rdv')} (account_id, sav_id, debut, id, statut, type)
      where sav_id is not null`,
    sql`create index ${name('rdv_holds')} on ${name('rdv')} (expire_a, id) where expire_a is not null`,

    // Everybody who goes: the poseur is the first. `debut` is that of the appointment, for lists; the time that it takes is
    // in milliseconds since the Unix epoch, and null where it takes none any more.
    sql`create table ${name('rdv_personnes')} (
      account_id ${text} not null,
      rdv_id ${integer} not null,
      poseur_id ${integer} not null,
      ordre ${integer} not null,
      debut ${text} not null,
      debut_ms ${integer},
      fin_ms ${integer},
      primary key (account_id, rdv_id, poseur_id),
      foreign key (account_id, rdv_id) references ${name('rdv')} (account_id, id),
      foreign key (account_id, poseur_id) references ${name('poseurs')} (account_id, id),
      check ((debut_ms is null) = (fin_ms is null)),
      check (fin_ms > debut_ms and fin_ms - debut_ms <= ${sql.lit(longestMs)})
    ) ${clustered}`,
    sql`create index ${name('rdv_personnes_days')} on ${name('rdv_personnes')} (account_id, poseur_id, debut, rdv_id)`,
    sql`create index ${name('rdv_personnes_taken')} on ${name('rdv_personnes')} (poseur_id, debut_ms, fin_ms)
      where debut_ms is not null`,
    ...ddl.refuseOverlaps(name('rdv_personnes'), { name, longestMs }),

    sql`create table ${name('interventions')} (
      account_id ${text} not null,
      id ${identity},
      case_id ${integer} not null,
      rdv_id ${integer} not null,
      poseur_id ${integer} not null,
      type ${text} not null,
      date_debut ${text} not null,
      date_fin ${text} not null,
      resultat ${text},
      compte_rendu ${text},
      pieces ${text} not null,
      foreign key (account_id, case_id) references ${name('cases')} (account_id, id),
      foreign key (account_id, rdv_id) references ${name('rdv')} (account_id, id),
      foreign key (account_id, poseur_id) references ${name('poseurs')} (account_id, id)
    )`,
    sql`create index ${name('interventions_case')} on ${name('interventions')} (account_id, case_id, id)`,

    sql`create table ${name('agendas')} (
      account_id ${text} not null,
      poseur_id ${integer} not null,
      horaires ${text},
      absences ${text} not null,
      competences ${text} not null,
      primary key (account_id, poseur_id),
      foreign key (account_id, poseur_id) references ${name('poseurs')} (account_id, id)
    )`,
  ]
}

/** `maxRdvMinutes` of the core, as it was when the table was made. */
const longestMs = 720 * 60_000
