import type { Shop } from './browser.js'

/** A future Tuesday with visits and free times. */
export const busyDay = '2032-06-08'

/** The address of every screen, each with data; `:receiver` is the id of a receiver. */
export const screens = [
  '/',
  '/dossiers',
  '/dossiers/1',
  '/dossiers/2',
  '/dossiers/2/cloture',
  '/dossiers/nouveau',
  `/planning?date=${busyDay}`,
  `/planning?vue=jour&date=${busyDay}`,
  `/planning?date=${busyDay}&rdv=1`,
  `/planning/tournees?date=${busyDay}`,
  '/planning/nouveau?sav_id=2',
  '/clients',
  '/clients/1',
  '/clients/nouveau',
  '/statistiques',
  '/poseurs',
  '/poseurs/1',
  '/reglages/api/webhooks',
  '/reglages/api/webhooks/nouveau',
  '/reglages/api/webhooks/historique',
  '/reglages/api/webhooks/:receiver',
  '/reglages/sante',
  '/reglages/api/cles',
  '/reglages/api/cles/nouvelle',
  '/reglages/api/catalogue',
  '/reglages/compte',
  '/reglages/utilisateurs',
  '/reglages/moi',
  '/reglages/journal',
  '/nulle-part',
]

/**
 * Two cases, one of them closed, visits of two installers, an absence, an unreachable receiver; some names are long.
 * Resolves to the receiver's id.
 */
export async function livelyShop({ api, book }: Pick<Shop, 'api' | 'book'>): Promise<string> {
  await api('PUT', '/api/v1/clients/1', { lieu: { ligne1: '12 quai Tilsitt', code_postal: '69002', ville: 'Lyon' } })
  await api('POST', '/api/v1/clients', {
    nom: 'de la Rochefoucauld-Montmorency-Desrousseaux',
    prenom: 'Marie-Charlotte-Alexandrine',
    lieu: { ligne1: '8 place Jean-Jaurès', code_postal: '69700', ville: 'Givors' },
  })
  await api('POST', '/api/v1/poseurs', { nom: 'Karim Benali', couleur: '#2f7d5b', lieu: { code_postal: '69003' } })
  await api('POST', '/api/v1/poseurs', { nom: `Lucie ${'Moreau-'.repeat(12)}Petit`, couleur: '#b5532a' })
  await api('PUT', '/api/v1/planning/poseurs/2/absences', {
    absences: [{ debut: `${busyDay}T12:00:00.000Z`, fin: `${busyDay}T16:00:00.000Z`, motif: 'Formation' }],
  })
  const { body: receiver } = await api('POST', '/api/v1/webhooks', {
    url: 'https://receiver.invalid/hook',
    description: 'Caisse',
    events: ['sav.created', 'sav.closed'],
  })
  for (const [at, description] of [
    'La porte du four racle, en bas à droite.',
    `Fissure ${'très '.repeat(60)}longue.`,
  ].entries())
    await api('POST', '/api/v1/sav', { client_id: at + 1, description, priorite: 'urgente' })
  await api('POST', '/api/v1/sav/1/cloturer', { resolution: 'Porte réglée et graissée.', reserves: ['Vitre rayée'] })
  for (const [hour, poseur_id, client_id] of [
    ['06', 1, 1],
    ['08', 1, 2],
    ['07', 2, 2],
  ])
    await book(`${busyDay}T${hour}:00:00.000Z`, { client_id, poseur_id })
  return String(receiver.data.id)
}
