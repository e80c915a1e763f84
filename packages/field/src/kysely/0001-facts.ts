import type { Definitions } from '@sav/storage-kysely/feature'
import { sql } from 'kysely'

/** The tables of uploaded files, which wait there until a write refers to them, and of installers' reports. */
export const facts: Definitions = ({ text, integer, bytes, identity, clustered }, name) => [
  sql`create table ${name('terrain_fichiers')} (
    account_id ${text} not null references ${name('accounts')} (id),
    auteur_id ${text} not null,
    sha256 ${text} not null,
    taille ${integer} not null,
    recu ${integer} not null,
    media_type ${text},
    date ${text} not null,
    primary key (account_id, auteur_id, sha256)
  ) ${clustered}`,
  sql`create index ${name('terrain_fichiers_date')} on ${name('terrain_fichiers')} (date)`,

  sql`create table ${name('terrain_morceaux')} (
    account_id ${text} not null,
    auteur_id ${text} not null,
    sha256 ${text} not null,
    debut ${integer} not null,
    content ${bytes} not null,
    primary key (account_id, auteur_id, sha256, debut)
  )`,

  sql`create table ${name('terrain_faits')} (
    account_id ${text} not null references ${name('accounts')} (id),
    id ${identity},
    auteur_id ${text} not null,
    cle ${text} not null,
    empreinte ${text} not null,
    rdv_id ${integer} not null,
    sav_id ${integer},
    client_id ${integer} not null,
    nature ${text} not null,
    survenu_a ${text} not null,
    date ${text} not null,
    constat ${text}
  )`,
  sql`create unique index ${name('terrain_faits_cle')} on ${name('terrain_faits')} (account_id, auteur_id, cle)`,
  sql`create index ${name('terrain_faits_constats')} on ${name('terrain_faits')} (account_id, id)
    where constat is not null`,
  sql`create index ${name('terrain_faits_client')} on ${name('terrain_faits')} (account_id, client_id)`,
  sql`create index ${name('terrain_faits_date')} on ${name('terrain_faits')} (date)`,
]
