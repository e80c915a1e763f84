import { schema } from '@sav/storage-kysely/feature'
import type { FieldFact } from '../fact.js'

/** Installers' reports and files from phones. */
export const tables = {
  /** Uploaded files. They are deleted by the write that refers to them, or after a week. */
  terrain_fichiers: schema.table(
    {
      account_id: schema.text(),
      /** A user, or a key. */
      auteur_id: schema.text(),
      sha256: schema.text(),
      taille: schema.whole(),
      recu: schema.whole(),
      media_type: schema.text().orNull(),
      date: schema.text(),
    },
    { key: ['account_id', 'auteur_id', 'sha256'], copied: null, evidence: schema.ofTheService },
  ),
  /** The bytes of these files. */
  terrain_morceaux: schema.table(
    {
      account_id: schema.text(),
      auteur_id: schema.text(),
      sha256: schema.text(),
      debut: schema.whole(),
      content: schema.bytes(),
    },
    {
      key: ['account_id', 'auteur_id', 'sha256', 'debut'],
      content: 'content',
      copied: null,
      evidence: schema.ofTheService,
    },
  ),
  terrain_faits: schema.table(
    {
      account_id: schema.text(),
      id: schema.numbered(),
      auteur_id: schema.text(),
      /** The `Idempotency-Key` of the write, or else its digest. */
      cle: schema.text().personal(),
      /** Keyed digest of the content. */
      empreinte: schema.text().personal(),
      rdv_id: schema.whole(),
      sav_id: schema.whole().orNull(),
      client_id: schema.whole(),
      nature: schema.text<FieldFact['nature']>(),
      survenu_a: schema.text(),
      date: schema.text(),
      constat: schema.json<NonNullable<FieldFact['constat']>>().orNull().personal(),
    },
    {
      key: ['id'],
      evidence: { none: 'the work is in the history of its case; this is only the answer to the report' },
    },
  ),
}
