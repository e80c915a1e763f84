import type { Rdv, Terrain } from '../../terrain/api.js'
import type { NewItem } from '../../terrain/sync/item.js'

const hourUtc = new Date().getUTCHours()
/** A time zone in which it is daytime now, so that no test runs past midnight. */
export const zone = hourUtc >= 4 && hourUtc < 18 ? 'Europe/Paris' : 'America/Los_Angeles'

export const visit = (id: number, more: Partial<Rdv> = {}): Rdv => ({
  id,
  type: 'sav',
  statut: 'planifie',
  sav: { id: id + 40, reference: `SAV-2026-${String(id + 40).padStart(5, '0')}` },
  client: {
    id: id + 100,
    nom: 'Durand',
    prenom: 'Alice',
    telephone: '+33611223344',
    adresse: '12 quai Tilsitt, 69002 Lyon',
  },
  poseur: { id: 3, nom: 'Bruno Petit' },
  equipiers: [],
  debut: `2026-03-16T0${(id % 9) + 1}:00:00.000Z`,
  fin: `2026-03-16T0${(id % 9) + 1}:45:00.000Z`,
  fuseau: zone,
  duree_minutes: 45,
  fenetre_client: null,
  lieu: { ligne1: '12 quai Tilsitt', code_postal: '69002', ville: 'Lyon', lat: 45.757, lon: 4.83, acces: 'Code 14B' },
  trajet_avant_minutes: 20,
  tournee: null,
  expire_a: null,
  motif_annulation: null,
  intervention_id: null,
  resultat: null,
  compte_rendu: null,
  pieces: [],
  retard_minutes: null,
  notes: null,
  version: 1,
  ...more,
})

export const dayOf = (rdv: readonly Rdv[], more: Partial<Terrain> = {}): Terrain => ({
  poseur: { id: 3, nom: 'Bruno Petit' },
  du: '2026-03-09',
  au: '2026-03-30',
  rdv,
  dossiers: rdv.flatMap(({ sav, client: { id, nom, prenom } }) =>
    sav === null
      ? []
      : [
          {
            ...sav,
            client: { id, nom, prenom },
            statut: 'ouvert' as const,
            description: 'La porte du four racle, en bas à droite, depuis la pose.',
            type_probleme: 'reglage',
            priorite: 'normale' as const,
            photos: [],
            commentaires: [],
            interventions: [],
            reserves: [],
            resolution: null,
            date_cloture: null,
            version: 1,
          },
        ],
  ),
  textes_terrain: ['Charnière réglée, porte contrôlée.', 'Pièce à commander : passage à prévoir.'],
  ...more,
})

/** `survenu_a` depends on the id, so that reports on one visit differ. */
export const fact = (
  id: string,
  rdv_id: number,
  told: Pick<NewItem, 'operation' | 'body'>,
  files: readonly string[] = [],
) =>
  ({
    id,
    rdv_id,
    sav_id: rdv_id + 40,
    title: 'Alice Durand',
    version: 1,
    survenu_a: '2026-03-16T08:00:00.000Z',
    decalage_ms: 0,
    files,
    ...told,
  }) as NewItem
