import type { Definitions } from '@sav/storage-kysely/feature'
import { sql } from 'kysely'

/** Appointments and the time that they occupy, working time, calendars, customers' pages, and follow-ups. */
export const planning: Definitions = ({ text, integer, identity, clustered, refuseOverlaps }, name) => [
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
    deplacements ${text} not null default '[]',
    lettre_due ${text},
    derniere_lettre ${text},
    expire_a ${text},
    motif_annulation ${text},
    bilan ${text},
    absence ${text},
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
  sql`create index ${name('rdv_letters')} on ${name('rdv')} (lettre_due, id) where lettre_due is not null`,

  // The poseur, then the teammates. `debut` repeats the beginning of the appointment, for lists. The occupied time is
  // in milliseconds since the Unix epoch; null: it is free again.
  sql`create table ${name('rdv_personnes')} (
    account_id ${text} not null,
    rdv_id ${integer} not null,
    poseur_id ${integer} not null,
    ordre ${integer} not null,
    debut ${text} not null,
    debut_ms ${integer},
    fin_ms ${integer},
    primary key (account_id, rdv_id, poseur_id),
    check ((debut_ms is null) = (fin_ms is null)),
    check (fin_ms > debut_ms and fin_ms - debut_ms <= ${sql.lit(longestMs)}),
    foreign key (account_id, rdv_id) references ${name('rdv')} (account_id, id),
    foreign key (account_id, poseur_id) references ${name('poseurs')} (account_id, id)
  ) ${clustered}`,
  sql`create index ${name('rdv_personnes_days')} on ${name('rdv_personnes')} (account_id, poseur_id, debut, rdv_id)`,
  sql`create index ${name('rdv_personnes_taken')} on ${name('rdv_personnes')} (poseur_id, debut_ms, fin_ms)
    where debut_ms is not null`,
  ...refuseOverlaps(name('rdv_personnes'), { name, longestMs }),

  sql`create table ${name('agendas')} (
    account_id ${text} not null,
    poseur_id ${integer} not null,
    horaires ${text},
    absences ${text} not null,
    absences_depuis ${text},
    competences ${text} not null,
    primary key (account_id, poseur_id),
    foreign key (account_id, poseur_id) references ${name('poseurs')} (account_id, id)
  )`,

  // `cible` is a poseur's id, or 0 for the whole account's calendar. `proprietaire_id` is the id of a key or a user, or
  // empty for the account. It is not null for the account, because a null could not be part of the key.
  sql`create table ${name('calendriers')} (
    account_id ${text} not null references ${name('accounts')} (id),
    cible ${integer} not null,
    proprietaire_type ${text} not null,
    proprietaire_id ${text} not null,
    hash ${text} not null,
    date_creation ${text} not null,
    primary key (account_id, cible, proprietaire_id)
  ) ${clustered}`,
  sql`create unique index ${name('calendriers_hash')} on ${name('calendriers')} (hash)`,

  sql`create table ${name('rdv_pages')} (
    hash ${text} primary key,
    account_id ${text} not null,
    rdv_id ${integer} not null,
    foreign key (account_id, rdv_id) references ${name('rdv')} (account_id, id)
  ) ${clustered}`,
  sql`create index ${name('rdv_pages_rdv')} on ${name('rdv_pages')} (account_id, rdv_id)`,

  sql`create table ${name('a_traiter')} (
    account_id ${text} not null references ${name('accounts')} (id),
    id ${text} not null,
    type ${text} not null,
    rdv_id ${integer},
    sav_id ${integer},
    client_id ${integer},
    depuis ${text} not null,
    debut ${text},
    texte ${text},
    fait_le ${text},
    fait_par ${text},
    primary key (account_id, id)
  ) ${clustered}`,
  sql`create index ${name('a_traiter_open')} on ${name('a_traiter')} (account_id, depuis, id) where fait_le is null`,
  sql`create index ${name('a_traiter_client')} on ${name('a_traiter')} (account_id, client_id)
    where client_id is not null`,
]

/** `maxRdvMinutes` when this migration was written. */
const longestMs = 720 * 60_000
