import type { Lieu, Permission } from '@sav/core'
import type { View } from '@sav/core/adapter'
import type { Account } from '@sav/core/ports'
import { bytes, json, numbered, ofTheService, table, text, whole } from './table.js'

const livesOn = { none: 'they may change after a close; the snapshot of the close holds what was printed' } as const

/** Accounts, their clients and their installers. */
export const directoryTables = {
  accounts: table(
    {
      id: text(),
      raison_sociale: text().orNull(),
      adresse: text().orNull(),
      siret: text().orNull(),
      email: text().orNull(),
      telephone: text().orNull(),
      assureur: text().orNull(),
      mediateur: text().orNull(),
      /** SHA-256 of a row of `account_logos`. */
      logo: text().orNull(),
      couleur: text(),
      signature_requise_depuis: text().orNull(),
      confirmation_rdv_depuis: text().orNull(),
      rappel_rdv_depuis: text().orNull(),
      prevenir_bureau_depuis: text().orNull(),
      lieu: json<Lieu>().orNull(),
      zone_feries: text<Account['zone_feries']>(),
      fuseau: text().orNull(),
      nom_expediteur: text().orNull(),
      repondre_a: text().orNull(),
      url_publique: text().orNull(),
      textes_terrain: json<Account['textes_terrain']>(),
      pas: whole().generated(),
      created_at: text(),
      desactive_le: text().orNull(),
      dossiers_par_mois: whole().orNull(),
      stockage_octets: whole().orNull(),
    },
    { key: ['id'], evidence: livesOn },
  ),
  account_logos: table(
    {
      account_id: text(),
      sha256: text(),
      media_type: text().uncovered('the bytes of a logo that a close names are covered'),
      content: bytes(),
    },
    {
      key: ['account_id', 'sha256'],
      content: 'content',
      evidence: { by: 'its own hash in the snapshot of each close that printed it', inserted: 'no close names it' },
    },
  ),
  clients: table(
    {
      account_id: text(),
      id: numbered(),
      nom: text().personal(),
      prenom: text().personal(),
      raison_sociale: text().orNull().personal(),
      email: text().orNull().personal(),
      telephone: text().orNull().personal(),
      adresse: text().orNull().personal(),
      lieu: json<Lieu>().orNull().personal(),
      whatsapp_depuis: text().orNull().personal(),
      efface_le: text().orNull(),
      /** Folded text of `nom`, `prenom`, `raison_sociale`, `adresse`, `lieu` and `telephone`. */
      recherche_nom: text().personal(),
      /** Folded `email`; empty when there is none. */
      recherche_email: text().personal(),
      /** The sort key of `nom` and `prenom`. */
      tri_nom: text().personal(),
      /** The sort key of the `ville` of `lieu`. */
      tri_ville: text().personal(),
    },
    { key: ['id'], evidence: livesOn },
  ),
  poseurs: table(
    {
      account_id: text(),
      id: numbered(),
      nom: text(),
      inactif_depuis: text().orNull(),
      email: text().orNull(),
      couleur: text().orNull(),
      lieu: json<Lieu>().orNull(),
      lieu_retour: json<Lieu>().orNull(),
      /** The sort key of `nom`. */
      tri_nom: text(),
    },
    { key: ['id'], evidence: livesOn },
  ),
}

/** The keys that may call, the views of callers, and their calls. */
export const accessTables = {
  api_keys: table(
    {
      account_id: text(),
      id: text(),
      nom: text(),
      hash: text(),
      permissions: json<readonly Permission[]>(),
      /** Ranges of addresses in CIDR notation. */
      ips: json<readonly string[]>(),
      created_at: text(),
      expires_at: text(),
      revoked_at: text().orNull(),
      last_used_at: text().orNull(),
      successor_id: text().orNull(),
    },
    { key: ['account_id', 'id'], evidence: ofTheService },
  ),
  /** The console users' saved views, by id. */
  vues: table(
    { account_id: text(), titulaire: text(), vues: json<readonly View[]>() },
    { key: ['account_id', 'titulaire'], evidence: ofTheService },
  ),
  audit: table(
    {
      /** Empty for calls without a known account. */
      account_id: text(),
      time: text(),
      id: text(),
      ip: text(),
      method: text(),
      endpoint: text(),
      key_id: text().orNull(),
      user_id: text().orNull(),
      status: whole(),
      duration_ms: whole(),
      request_id: text(),
      calls: whole().generated(),
      target: text().orNull(),
    },
    { key: ['account_id', 'time', 'id'], evidence: ofTheService },
  ),
  answers: table(
    {
      account_id: text(),
      key_id: text(),
      request: text(),
      body: text().personal(),
      status: whole(),
      answer: text().personal(),
      created_at: text(),
      client_id: whole().orNull(),
      case_id: whole().orNull(),
    },
    { key: ['account_id', 'key_id', 'request'], copied: 20, evidence: ofTheService },
  ),
}
