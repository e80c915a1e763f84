import type { FieldFact } from '@sav/core/internal'
import { bytes, json, numbered, ofTheService, table, text, whole } from './table.js'

/** Writes and files of installers from the field. */
export const fieldTables = {
  /** Files that come before the write that names them. They are deleted with it, or after a week. */
  terrain_fichiers: table(
    {
      account_id: text(),
      /** A person, or a key. */
      auteur_id: text(),
      sha256: text(),
      taille: whole(),
      recu: whole(),
      media_type: text().orNull(),
      date: text(),
    },
    { key: ['account_id', 'auteur_id', 'sha256'], copied: null, evidence: ofTheService },
  ),
  /** The bytes of these files. */
  terrain_morceaux: table(
    { account_id: text(), auteur_id: text(), sha256: text(), debut: whole(), content: bytes() },
    { key: ['account_id', 'auteur_id', 'sha256', 'debut'], content: 'content', copied: null, evidence: ofTheService },
  ),
  terrain_faits: table(
    {
      account_id: text(),
      id: numbered(),
      auteur_id: text(),
      /** The `Idempotency-Key` of the write, or else its digest. */
      cle: text().personal(),
      /** Keyed digest of the content. */
      empreinte: text().personal(),
      rdv_id: whole(),
      sav_id: whole().orNull(),
      client_id: whole(),
      nature: text<FieldFact['nature']>(),
      survenu_a: text(),
      date: text(),
      constat: json<NonNullable<FieldFact['constat']>>().orNull().personal(),
    },
    {
      key: ['id'],
      evidence: { none: 'what was done stands in the history of its case, with its time; this says what was answered' },
    },
  ),
}
