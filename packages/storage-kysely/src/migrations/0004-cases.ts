import { sql } from 'kysely'
import type { Definitions } from '../statements/dialect.js'

/**
 * Cases, their histories and files, and the evidence of closed ones.
 *
 * Tables and indexes begin with `account_id`, so that a distributed database can shard by account. Hot tables have
 * foreign keys only where the referring column is indexed too, since retention deletes millions of rows.
 */
export const cases: Definitions = ({ text, integer, bytes, identity, clustered }, name) => [
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
    survenu_a ${text},
    decalage_ms ${integer},
    vu ${text},
    recherche ${text} not null,
    reference_origine ${text},
    historique_numero ${integer} not null,
    historique_hash ${text} not null,
    sel_notes ${text},
    recherche_client ${text} not null default '',
    unique (account_id, id),
    unique (account_id, annee, numero),
    foreign key (account_id, client_id) references ${name('clients')} (account_id, id),
    foreign key (account_id, poseur_id) references ${name('poseurs')} (account_id, id)
  )`,
  sql`create index ${name('cases_statut')} on ${name('cases')} (account_id, statut, date_creation, id)`,
  sql`create index ${name('cases_client')} on ${name('cases')}
    (account_id, client_id, date_creation, id, statut, poseur_id)`,
  sql`create index ${name('cases_poseur')} on ${name('cases')} (account_id, poseur_id, date_creation, id, statut)
    where poseur_id is not null`,
  sql`create index ${name('cases_closed')} on ${name('cases')} (account_id, id) where statut = 'clos'`,
  // An index for each filter that would otherwise read every case of the account: at a million cases, 15 to 70 ms on
  // PostgreSQL instead of 290.
  sql`create index ${name('cases_priorite')} on ${name('cases')}
    (account_id, priorite, date_creation, id, statut, type_probleme, date_modification)`,
  sql`create index ${name('cases_type')} on ${name('cases')}
    (account_id, type_probleme, date_creation, id, statut, date_modification)`,
  sql`create index ${name('cases_modified')} on ${name('cases')}
    (account_id, date_modification, date_creation, id, statut)`,
  // Ascending, though lists read it backwards: new rows are then added at the end, where a B-tree fills its pages.
  sql`create index ${name('cases_recent')} on ${name('cases')}
    (account_id, date_creation, id, statut, date_modification)`,
  sql`create index ${name('cases_origin')} on ${name('cases')} (account_id, reference_origine, id)
    where reference_origine is not null`,

  sql`create table ${name('case_history')} (
    account_id ${text} not null,
    case_id ${integer} not null,
    numero ${integer} not null,
    date ${text} not null,
    type ${text} not null,
    acteur_type ${text} not null,
    acteur_id ${text},
    acteur_nom ${text} not null,
    champ ${text},
    ancienne_valeur ${text} not null,
    nouvelle_valeur ${text} not null,
    commentaire ${text},
    hash ${text} not null,
    sel ${text},
    empreintes ${text},
    primary key (account_id, case_id, numero),
    foreign key (account_id, case_id) references ${name('cases')} (account_id, id)
  )`,

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
  sql`create index ${name('evidence_entries_hash')} on ${name('evidence_entries')} (hash_dossier)`,

  sql`create table ${name('evidence_snapshots')} (
    account_id ${text} not null,
    hash_dossier ${text} not null,
    snapshot ${text} not null,
    primary key (account_id, hash_dossier)
  )`,

  sql`create table ${name('evidence_stamps')} (
    account_id ${text} not null,
    sequence ${integer} not null,
    hash_entree ${text} not null,
    date ${text} not null,
    token ${bytes} not null,
    primary key (account_id, sequence)
  ) ${clustered}`,

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
    survenu_a ${text},
    foreign key (account_id, case_id) references ${name('cases')} (account_id, id),
    foreign key (account_id, poseur_id) references ${name('poseurs')} (account_id, id)
  )`,
  sql`create index ${name('interventions_case')} on ${name('interventions')} (account_id, case_id, id)`,
  sql`create index ${name('interventions_poseur')} on ${name('interventions')} (account_id, poseur_id, date_debut, case_id)`,

  // The tables about erased accounts refer to no other table.
  sql`create table ${name('erased_accounts')} (
    id ${text} primary key,
    begun_at ${text} not null,
    begun_by ${text},
    chain_erased_at ${text},
    chain_erased_by ${text},
    date ${text},
    sequence ${integer},
    hash_entree ${text}
  )`,

  sql`create table ${name('erased_entries')} (
    account_id ${text} not null,
    sequence ${integer} not null,
    version ${integer} not null,
    reference ${text} not null,
    date ${text} not null,
    hash_dossier ${text} not null,
    hash_precedent ${text} not null,
    hash_entree ${text} not null,
    primary key (account_id, sequence)
  ) ${clustered}`,
]
