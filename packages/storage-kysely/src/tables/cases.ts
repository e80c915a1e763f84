import type { CaseDetail, CaseSummary, HistoryEntry } from '@sav/core'
import type { LineDigests } from '@sav/core/adapter'
import type { NewHistoryEntry, Photo } from '@sav/core/ports'
import { bytes, json, numbered, ofTheService, table, text, whole } from './table.js'

const steers = 'they control concurrent changes, and hold nothing about the case'
const searched = 'search words, derived from the other columns'
const unread = 'they are not read while the case is open'

/** Cases, their histories, and their files. */
export const caseTables = {
  cases: table(
    {
      account_id: text(),
      id: numbered(),
      annee: whole(),
      numero: whole(),
      client_id: whole(),
      poseur_id: whole().orNull(),
      statut: text<CaseSummary['statut']>(),
      priorite: text<CaseSummary['priorite']>(),
      type_probleme: text<CaseDetail['type_probleme']>(),
      description: text().personal(),
      photos: json<readonly Photo[]>().personal(),
      notes_internes: text().orNull().personal(),
      date_creation: text(),
      date_modification: text().uncovered(steers),
      version: whole().uncovered(steers),
      /** This column and those up to `vu` are null unless the case is closed. */
      date_cloture: text().orNull().uncoveredWhileOpen(unread),
      resolution: text().orNull().personal().uncoveredWhileOpen(unread),
      photo_avant: text().orNull().personal().uncoveredWhileOpen(unread),
      photo_apres: text().orNull().personal().uncoveredWhileOpen(unread),
      signature_client: text().orNull().personal().uncoveredWhileOpen(unread),
      signataire_nom: text().orNull().personal().uncoveredWhileOpen(unread),
      reserves: json<readonly string[]>().orNull().personal().uncoveredWhileOpen(unread),
      survenu_a: text().orNull().uncoveredWhileOpen(unread),
      decalage_ms: whole().orNull().uncoveredWhileOpen(unread),
      vu: text().orNull().personal().uncoveredWhileOpen(unread),
      /** Folded words of the reference, `description` and later texts, with their stems. */
      recherche: text().personal().uncovered(searched),
      reference_origine: text().orNull().uncovered('it is only the number of the case in another system'),
      /** The head of the history's chain. */
      historique_numero: whole(),
      historique_hash: text(),
      sel_notes: text().orNull().personal(),
      /** `recherche_nom` of the client. */
      recherche_client: text().generated().personal().uncovered(searched),
    },
    { key: ['id'], evidence: { by: 'the snapshot of its close' } },
  ),
  /** The number of cases of a status created on a UTC day: totals of lists without reading the cases. */
  case_tallies: table(
    {
      account_id: text(),
      /** `2026-01-15` */
      jour: text(),
      statut: text<CaseSummary['statut']>(),
      nombre: whole(),
    },
    { key: ['account_id', 'jour', 'statut'], evidence: ofTheService },
  ),
  reference_counters: table(
    { account_id: text(), annee: whole(), dernier: whole() },
    { key: ['account_id', 'annee'], evidence: ofTheService },
  ),
  case_history: table(
    {
      account_id: text(),
      case_id: whole(),
      /** Its position in the chain of its case. */
      numero: whole(),
      date: text(),
      type: text<HistoryEntry['type']>(),
      acteur_type: text<NewHistoryEntry['acteur']['type']>(),
      acteur_id: text().orNull(),
      acteur_nom: text(),
      champ: text().orNull(),
      // In JSON, a number stays a number.
      ancienne_valeur: json<NewHistoryEntry['ancienne_valeur']>().personal(),
      nouvelle_valeur: json<NewHistoryEntry['nouvelle_valeur']>().personal(),
      commentaire: text().orNull().personal(),
      /** This column and those after it: the line's link in the chain. */
      hash: text(),
      sel: text().orNull().personal(),
      empreintes: json<LineDigests>().orNull(),
    },
    { key: ['account_id', 'case_id', 'numero'], evidence: { by: 'the chain of its case' } },
  ),
  /** The work done on visits. */
  interventions: table(
    {
      account_id: text(),
      id: numbered(),
      case_id: whole(),
      rdv_id: whole(),
      poseur_id: whole(),
      type: text(),
      date_debut: text(),
      date_fin: text(),
      resultat: text().orNull(),
      compte_rendu: text().orNull().personal(),
      pieces: json<CaseDetail['interventions'][number]['pieces']>().personal(),
      survenu_a: text().orNull(),
    },
    { key: ['id'], evidence: { by: 'its line in the chain of the case, and the snapshot of the next close' } },
  ),
  files: table(
    {
      account_id: text(),
      sha256: text(),
      media_type: text(),
      content: bytes().personal(),
      /** In bytes, also for a content stored elsewhere. */
      taille: whole().uncovered('it is the length of the content, which is covered'),
    },
    {
      key: ['account_id', 'sha256'],
      content: 'content',
      evidence: { by: 'its own hash in the snapshot of the close', inserted: 'no case holds it, so it is not shown' },
    },
  ),
  case_files: table(
    { account_id: text(), case_id: whole(), sha256: text() },
    { key: ['account_id', 'case_id', 'sha256'], evidence: { by: 'the snapshot of the close' } },
  ),
  file_removals: table(
    {
      account_id: text(),
      sha256: text(),
      remove_at: text(),
      begun_at: text().orNull(),
    },
    { key: ['account_id', 'sha256'], evidence: ofTheService },
  ),
}
