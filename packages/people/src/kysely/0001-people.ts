import type { Definitions } from '@sav/storage-kysely/feature'
import { sql } from 'kysely'

/** Users, their sign-ins, and their sessions. */
export const people: Definitions = ({ text, integer }, name) => [
  sql`create table ${name('users')} (
    account_id ${text} not null references ${name('accounts')} (id),
    id ${text} not null,
    nom ${text} not null,
    email ${text} not null,
    role ${text} not null,
    poseur_id ${integer},
    date_creation ${text} not null,
    desactive_le ${text},
    derniere_connexion ${text},
    primary key (account_id, id),
    foreign key (account_id, poseur_id) references ${name('poseurs')} (account_id, id)
  )`,
  sql`create unique index ${name('users_email')} on ${name('users')} (email, account_id)`,

  sql`create table ${name('passkeys')} (
    account_id ${text} not null,
    id ${text} not null,
    user_id ${text} not null,
    nom ${text} not null,
    credential_id ${text} not null,
    public_key ${text} not null,
    compteur ${integer} not null,
    transports ${text} not null,
    date_creation ${text} not null,
    derniere_utilisation ${text},
    primary key (account_id, id),
    foreign key (account_id, user_id) references ${name('users')} (account_id, id)
  )`,
  sql`create unique index ${name('passkeys_credential')} on ${name('passkeys')} (credential_id)`,
  sql`create index ${name('passkeys_user')} on ${name('passkeys')} (account_id, user_id)`,

  sql`create table ${name('sessions')} (
    account_id ${text} not null,
    id ${text} not null,
    user_id ${text} not null,
    hash ${text} not null,
    methode ${text} not null,
    ip ${text} not null,
    appareil ${text} not null,
    date_creation ${text} not null,
    derniere_utilisation ${text} not null,
    appareil_terrain ${text},
    en_attente ${integer},
    primary key (account_id, id),
    foreign key (account_id, user_id) references ${name('users')} (account_id, id)
  )`,
  sql`create unique index ${name('sessions_hash')} on ${name('sessions')} (hash)`,
  sql`create index ${name('sessions_user')} on ${name('sessions')} (account_id, user_id)`,
  sql`create index ${name('sessions_used')} on ${name('sessions')} (derniere_utilisation)`,

  // The user of an attempt may not be known yet.
  sql`create table ${name('sign_in_attempts')} (
    hash ${text} primary key,
    methode ${text} not null,
    account_id ${text},
    user_id ${text},
    expire_a ${text} not null
  )`,
  sql`create index ${name('sign_in_attempts_expiry')} on ${name('sign_in_attempts')} (expire_a)`,
  sql`create index ${name('sign_in_attempts_user')} on ${name('sign_in_attempts')} (account_id, user_id)
    where user_id is not null`,
]
