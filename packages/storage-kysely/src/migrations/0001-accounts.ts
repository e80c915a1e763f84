import { sql } from 'kysely'
import type { Definitions } from '../statements/dialect.js'

/** Facts about the service and its processes, accounts and their keys, the audit, and kept answers. */
export const accounts: Definitions = ({ text, integer, bytes, clustered, fillFactor }, name) => [
  sql`create table ${name('facts')} (
    name ${text} primary key,
    value ${text} not null
  )`,

  sql`create table ${name('processes')} (
    id ${text} primary key,
    at ${text} not null,
    says ${text} not null
  )`,

  sql`create table ${name('commit_marks')} (
    connection ${text} primary key,
    mark ${text} not null,
    at ${text} not null
  ) ${fillFactor(70)}`,

  sql`create table ${name('accounts')} (
    id ${text} primary key,
    raison_sociale ${text},
    adresse ${text},
    siret ${text},
    email ${text},
    telephone ${text},
    assureur ${text},
    mediateur ${text},
    logo ${text},
    couleur ${text} not null default '#17507a',
    signature_requise_depuis ${text},
    confirmation_rdv_depuis ${text},
    rappel_rdv_depuis ${text},
    prevenir_bureau_depuis ${text},
    lieu ${text},
    zone_feries ${text} not null default 'FR',
    fuseau ${text},
    nom_expediteur ${text},
    repondre_a ${text},
    url_publique ${text},
    textes_terrain ${text} not null default '[]',
    pas ${integer} not null default 15,
    created_at ${text} not null,
    desactive_le ${text},
    dossiers_par_mois ${integer},
    stockage_octets ${integer}
  )`,
  sql`create index ${name('accounts_disabled')} on ${name('accounts')} (id) where desactive_le is not null`,

  sql`create table ${name('account_logos')} (
    account_id ${text} not null references ${name('accounts')} (id),
    sha256 ${text} not null,
    media_type ${text} not null,
    content ${bytes} not null,
    primary key (account_id, sha256)
  )`,

  sql`create table ${name('api_keys')} (
    account_id ${text} not null references ${name('accounts')} (id),
    id ${text} not null,
    nom ${text} not null,
    hash ${text} not null,
    permissions ${text} not null,
    ips ${text} not null,
    created_at ${text} not null,
    expires_at ${text} not null,
    revoked_at ${text},
    last_used_at ${text},
    successor_id ${text},
    primary key (account_id, id)
  )`,
  sql`create unique index ${name('api_keys_hash')} on ${name('api_keys')} (hash)`,

  // No foreign key to accounts: calls of unknown callers are recorded too, under an empty account.
  sql`create table ${name('audit')} (
    account_id ${text} not null,
    time ${text} not null,
    id ${text} not null,
    ip ${text} not null,
    method ${text} not null,
    endpoint ${text} not null,
    key_id ${text},
    user_id ${text},
    status ${integer} not null,
    duration_ms ${integer} not null,
    request_id ${text} not null,
    calls ${integer} not null default 1,
    target ${text},
    primary key (account_id, time, id)
  ) ${clustered}`,
  sql`create index ${name('audit_key')} on ${name('audit')} (account_id, key_id, time, id) where key_id is not null`,
  sql`create index ${name('audit_user')} on ${name('audit')} (account_id, user_id, time, id) where user_id is not null`,

  sql`create table ${name('answers')} (
    account_id ${text} not null,
    key_id ${text} not null,
    request ${text} not null,
    body ${text} not null,
    status ${integer} not null,
    answer ${text} not null,
    created_at ${text} not null,
    client_id ${integer},
    case_id ${integer},
    primary key (account_id, key_id, request)
  )`,
  sql`create index ${name('answers_created')} on ${name('answers')} (created_at)`,
  sql`create index ${name('answers_client')} on ${name('answers')} (account_id, client_id) where client_id is not null`,
  sql`create index ${name('answers_case')} on ${name('answers')} (account_id, case_id) where case_id is not null`,
]
