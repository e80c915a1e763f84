import type { BusinessCalendar } from '@sav/core/feature'
import { moment, type Rdv } from '@sav/planning/feature'
import type { FieldConstat, FieldKind } from './fact.js'

const deeds: Readonly<Record<FieldKind, string>> = {
  debut: 'Début de visite',
  intervention: 'Intervention',
  absent: 'Client absent',
  retard: 'Retard',
  ajout: 'Ajout',
}

/** The text of a follow-up about a report. */
export function constatText(
  { codes, rdv, description, souhait }: FieldConstat,
  { nature, survenu_a }: { readonly nature: FieldKind; readonly survenu_a: string },
  calendar: BusinessCalendar,
): string {
  const at = (debut: string) => moment({ debut }, calendar)
  const sentences: Readonly<Record<FieldConstat['codes'][number], () => string>> = {
    rdv_deplace: () => `Le rendez-vous avait été déplacé au ${at(rdv?.debut ?? survenu_a)}.`,
    rdv_donne: () => `Le rendez-vous avait été donné à ${rdv?.poseur.nom}.`,
    rdv_annule: () => 'Le rendez-vous était annulé, et le reste.',
    rdv_termine: () => 'Le rendez-vous était déjà terminé, et reste comme il était.',
    dossier_clos: () => 'Le dossier était déjà clos : la clôture du terrain y est ajoutée.',
    description_changee: () =>
      `Le dossier dit autre chose que ce qui a été signé. Signé : « ${description?.signee} » Maintenant : « ${description?.actuelle} »`,
    creneau_pris: () => 'La prochaine visite n’a pas pu être réservée : à fixer.',
    souhait: () => `Souhait pour la prochaine visite : « ${souhait} »`,
  }
  return [`${deeds[nature]} sur place le ${at(survenu_a)}.`, ...codes.map((code) => sentences[code]())].join(' ')
}

/** The appointment as the office left it. */
export const leftByOffice = ({ id, statut, debut, fin, poseur }: Rdv): FieldConstat['rdv'] => ({
  id,
  statut,
  debut,
  fin,
  poseur,
})
