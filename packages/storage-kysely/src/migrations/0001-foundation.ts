import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/**
 * Accounts and keys, the directory, cases with their evidence, webhooks with their deliveries.
 *
 * Tables and indexes begin with `account_id`, so that a distributed database can shard by account. Rows of hot tables
 * refer to others by foreign key only where the look-up back is indexed as well: retention deletes by the million.
 */
export const foundation = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of definitions(dialect, name)) await definition.execute(db)
  },
})

function definitions(
  { ddl: { text, integer, bytes, identity, clustered } }: Dialect,
  name: NameOf,
): RawBuilder<unknown>[] {
  return [
    sql`create table ${name('facts')} (
      name ${text} primary key,
      value ${text} not null
    )`,

    sql`create table ${name('accounts')} (
      id ${text} primary key,
      raison_sociale ${text},
      adresse ${text},
      siret ${text},
      email ${text},
      signature_requise_depuis ${text},
      created_at ${text} not null
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
      primary key (account_id, id)
    )`,
    sql`create unique index ${name('api_keys_hash')} on ${name('api_keys')} (hash)`,

    sql`create table ${name('clients')} (
      account_id ${text} not null references ${name('accounts')} (id),
      id ${identity},
      nom ${text} not null,
      prenom ${text} not null,
      email ${text},
      telephone ${text},
      adresse ${text},
      whatsapp_depuis ${text},
      recherche_nom ${text} not null,
      recherche_email ${text} not null,
      unique (account_id, id)
    )`,
    sql`create index ${name('clients_name')} on ${name('clients')} (account_id, nom, prenom, id)`,
    sql`create table ${name('poseurs')} (
      account_id ${text} not null references ${name('accounts')} (id),
      id ${identity},
      nom ${text} not null,
      inactif_depuis ${text},
      unique (account_id, id)
    )`,
    sql`create index ${name('poseurs_name')} on ${name('poseurs')} (account_id, nom, id)`,

    sql`create table ${name('cases')} (
      account_id ${text} not null,
      id ${identity},
      annee ${integer} not null,
      numero ${integer} not null,
      client_id ${integer} not null,
      poseur_id ${integer},
      statut ${text} not null,
      priorite ${text} not null,
      type_probleme ${text} not null,
      description ${text} not null,
      photos ${text} not null,
      notes_internes ${text},
      date_creation ${text} not null,
      date_modification ${text} not null,
      version ${integer} not null,
      date_cloture ${text},
      resolution ${text},
      photo_avant ${text},
      photo_apres ${text},
      signature_client ${text},
      signataire_nom ${text},
      reserves ${text},
      recherche ${text} not null,
      unique (account_id, id),
      unique (account_id, annee, numero),
      foreign key (account_id, client_id) references ${name('clients')} (account_id, id),
      foreign key (account_id, poseur_id) references ${name('poseurs')} (account_id, id)
    )`,
    // Ascending, though lists read them backwards: new rows then go to the end, where a B-tree packs its pages.
    sql`create index ${name('cases_recent')} on ${name('cases')}
      (account_id, date_creation, id, statut, priorite, type_probleme, client_id, poseur_id, date_modification)`,
    sql`create index ${name('cases_statut')} on ${name('cases')} (account_id, statut, date_creation, id)`,
    sql`create index ${name('cases_client')} on ${name('cases')} (account_id, client_id, date_creation, id, statut, poseur_id)`,
    sql`create index ${name('cases_poseur')} on ${name('cases')} (account_id, poseur_id, date_creation, id, statut)
      where poseur_id is not null`,
    sql`create index ${name('cases_closed')} on ${name('cases')} (account_id, id) where statut = 'clos'`,
    sql`create table ${name('case_history')} (
      account_id ${text} not null,
      case_id ${integer} not null,
      id ${identity},
      date ${text} not null,
      type ${text} not null,
      acteur_type ${text} not null,
      acteur_id ${text},
      acteur_nom ${text} not null,
      champ ${text},
      ancienne_valeur ${text} not null,
      nouvelle_valeur ${text} not null,
      commentaire ${text},
      foreign key (account_id, case_id) references ${name('cases')} (account_id, id)
    )`,
    sql`create index ${name('case_history_case')} on ${name('case_history')} (account_id, case_id, id)`,
    sql`create table ${name('case_tallies')} (
      account_id ${text} not null,
      jour ${text} not null,
      statut ${text} not null,
      nombre ${integer} not null,
      primary key (account_id, jour, statut)
    ) ${clustered}`,
    sql`create table ${name('reference_counters')} (
      account_id ${text} not null,
      annee ${integer} not null,
      dernier ${integer} not null,
      primary key (account_id, annee)
    ) ${clustered}`,

    sql`create table ${name('files')} (
      account_id ${text} not null references ${name('accounts')} (id),
      sha256 ${text} not null,
      media_type ${text} not null,
      content ${bytes} not null,
      primary key (account_id, sha256)
    )`,
    sql`create table ${name('case_files')} (
      account_id ${text} not null,
      case_id ${integer} not null,
      sha256 ${text} not null,
      primary key (account_id, case_id, sha256),
      foreign key (account_id, case_id) references ${name('cases')} (account_id, id),
      foreign key (account_id, sha256) references ${name('files')} (account_id, sha256)
    ) ${clustered}`,
    sql`create index ${name('case_files_file')} on ${name('case_files')} (account_id, sha256)`,

    sql`create table ${name('evidence_entries')} (
      account_id ${text} not null,
      sequence ${integer} not null,
      version ${integer} not null,
      case_id ${integer} not null,
      reference ${text} not null,
      date ${text} not null,
      hash_dossier ${text} not null,
      hash_precedent ${text} not null,
      hash_entree ${text} not null,
      primary key (account_id, sequence),
      foreign key (account_id, case_id) references ${name('cases')} (account_id, id)
    )`,
    sql`create index ${name('evidence_entries_case')} on ${name('evidence_entries')} (account_id, case_id, sequence)`,
    sql`create table ${name('evidence_snapshots')} (
      account_id ${text} not null,
      hash_dossier ${text} not null,
      snapshot ${text} not null,
      primary key (account_id, hash_dossier)
    )`,

    sql`create table ${name('webhook_endpoints')} (
      account_id ${text} not null references ${name('accounts')} (id),
      id ${text} not null,
      url ${text} not null,
      description ${text},
      events ${text} not null,
      sealed_secret ${text} not null,
      sealed_previous_secret ${text},
      previous_expires_at ${text},
      sealed_headers ${text},
      disabled_at ${text},
      disabled_reason ${text},
      removed_at ${text},
      created_at ${text} not null,
      updated_at ${text} not null,
      primary key (account_id, id)
    )`,
    sql`create index ${name('webhook_endpoints_id')} on ${name('webhook_endpoints')} (id)`,
    sql`create table ${name('endpoint_events')} (
      account_id ${text} not null,
      event ${text} not null,
      endpoint_id ${text} not null,
      primary key (account_id, event, endpoint_id)
    ) ${clustered}`,

    sql`create table ${name('events')} (
      account_id ${text} not null,
      id ${text} not null,
      event ${text} not null,
      body ${text} not null,
      created_at ${text} not null,
      primary key (account_id, id)
    )`,
    sql`create table ${name('deliveries')} (
      account_id ${text} not null,
      id ${text} not null,
      event_id ${text} not null,
      event ${text} not null,
      channel ${text} not null,
      target ${text} not null,
      state ${text} not null,
      lane ${text} not null,
      attempt_count ${integer} not null,
      run_attempt_count ${integer} not null,
      run_started_at ${text} not null,
      next_attempt_at ${text},
      available_at ${text},
      lease_token ${text},
      last_status ${integer},
      last_error ${text},
      created_at ${text} not null,
      primary key (account_id, id)
    )`,
    // The one index that does not begin with the account: the worker serves them all.
    sql`create index ${name('deliveries_claim')} on ${name('deliveries')} (lane, target, available_at) where available_at is not null`,
    sql`create index ${name('deliveries_recent')} on ${name('deliveries')} (account_id, created_at, id)`,
    sql`create index ${name('deliveries_target')} on ${name('deliveries')} (account_id, target, created_at, id)`,
    sql`create index ${name('deliveries_undelivered')} on ${name('deliveries')} (account_id, state, created_at, id, target)
      where state = 'pending' or state = 'failed'`,
    sql`create table ${name('attempts')} (
      account_id ${text} not null,
      delivery_id ${text} not null,
      n ${integer} not null,
      started_at ${text} not null,
      duration_ms ${integer} not null,
      status ${integer},
      error ${text},
      response_headers ${text},
      response ${text},
      primary key (account_id, delivery_id, n),
      foreign key (account_id, delivery_id) references ${name('deliveries')} (account_id, id)
    ) ${clustered}`,
  ]
}
