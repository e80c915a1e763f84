import { type BusinessCalendar, filled } from '@sav/core/feature'
import { moment, type Rdv } from '@sav/planning/feature'
import type { FieldConstat, FieldKind } from './fact.js'

/** The texts of follow-ups about reports, in French, like planning's `ownTexts`. */
export const ownTexts = {
  debut: 'Début de visite sur place le {quand}.',
  intervention: 'Intervention sur place le {quand}.',
  absent: 'Client absent sur place le {quand}.',
  retard: 'Retard sur place le {quand}.',
  ajout: 'Ajout sur place le {quand}.',
  rdv_deplace: 'Le rendez-vous avait été déplacé au {debut}.',
  rdv_donne: 'Le rendez-vous avait été donné à {poseur}.',
  rdv_annule: 'Le rendez-vous était annulé, et le reste.',
  rdv_termine: 'Le rendez-vous était déjà terminé, et reste comme il était.',
  dossier_clos: 'Le dossier était déjà clos : la clôture du terrain y est ajoutée.',
  description_changee:
    'Le dossier dit autre chose que ce qui a été signé. Signé : « {signee} » Maintenant : « {actuelle} »',
  creneau_pris: 'La prochaine visite n’a pas pu être réservée : à fixer.',
  souhait: 'Souhait pour la prochaine visite : « {souhait} »',
} as const satisfies Readonly<Record<FieldKind | FieldConstat['codes'][number], string>>

/** The text of a follow-up about a report. */
export function constatText(
  { codes, rdv, description, souhait }: FieldConstat,
  { nature, survenu_a }: { readonly nature: FieldKind; readonly survenu_a: string },
  calendar: BusinessCalendar,
): string {
  const at = (debut: string) => moment({ debut }, calendar)
  const params = {
    quand: at(survenu_a),
    debut: at(rdv?.debut ?? survenu_a),
    poseur: rdv?.poseur.nom ?? '',
    signee: description?.signee ?? '',
    actuelle: description?.actuelle ?? '',
    souhait: souhait ?? '',
  }
  return [nature, ...codes].map((code) => filled(ownTexts[code], params)).join(' ')
}

export const leftByOffice = ({ id, statut, debut, fin, poseur }: Rdv): FieldConstat['rdv'] => ({
  id,
  statut,
  debut,
  fin,
  poseur,
})
