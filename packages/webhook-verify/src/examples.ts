import type { EventDataByKind, EventKind, KnownEvent, TestEvent } from './events.js'

type Kind = EventKind | TestEvent['event']
type EventOf<K extends Kind> = Extract<KnownEvent | TestEvent, { readonly event: K }>
type DataByKind = EventDataByKind & { readonly 'webhook.test': TestEvent['data'] }

const event_id = 'evt_01ka0z7m3q8d'
const at = '2026-01-15T10:30:00.000Z'
const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

const sav = {
  event_id,
  id: 42,
  reference: 'SAV-2026-00042',
  statut: 'ouvert',
  priorite: 'haute',
  type_probleme: 'quincaillerie',
  client: { id: 7 },
  poseur: null,
  version: 1,
  changements: [],
} as const

const rdv = {
  event_id,
  id: 5,
  sav: { id: 42, reference: sav.reference },
  client: { id: 7 },
  poseur: { id: 3 },
  equipiers: [],
  type: 'sav',
  statut: 'planifie',
  debut: at,
  fin: '2026-01-15T12:00:00.000Z',
  version: 1,
  changements: [],
} as const

type Told = string | number | null

const changed = (champ: string, ancien: Told, nouveau: Told) => ({
  version: 2,
  changements: [{ champ, ancien, nouveau }],
})

const report = { ...sav, statut: 'clos', version: 3, sequence: 1 } as const

const data: DataByKind = {
  'sav.created': sav,
  'sav.updated': { ...sav, ...changed('priorite', 'normale', 'haute') },
  'sav.status_changed': { ...sav, statut: 'en_cours', ...changed('statut', 'ouvert', 'en_cours') },
  'sav.assigned': { ...sav, poseur: { id: 3 }, ...changed('poseur_id', null, 3) },
  'sav.closed': {
    ...sav,
    statut: 'clos',
    ...changed('statut', 'en_cours', 'clos'),
    hash_sha256: hash,
    date_cloture: at,
    sequence: 1,
    hash_entree: hash,
  },
  'sav.reopened': { ...sav, statut: 'en_cours', ...changed('statut', 'clos', 'en_cours'), version: 3 },
  'sav.report_sent': {
    ...report,
    changements: [{ champ: 'pv', ancien: 'en_file', nouveau: 'envoye' }],
    canal: 'email',
  },
  'sav.report_failed': { ...report, changements: [{ champ: 'pv', ancien: 'en_file', nouveau: 'echec' }], canal: null },
  'rdv.created': rdv,
  'rdv.rescheduled': {
    ...rdv,
    version: 2,
    changements: [
      { champ: 'debut', ancien: '2026-01-14T10:30:00.000Z', nouveau: rdv.debut },
      { champ: 'fin', ancien: '2026-01-14T12:00:00.000Z', nouveau: rdv.fin },
    ],
  },
  'rdv.confirmed': { ...rdv, statut: 'confirme', ...changed('statut', 'planifie', 'confirme') },
  'rdv.cancelled': { ...rdv, statut: 'annule', ...changed('statut', 'planifie', 'annule') },
  'rdv.completed': { ...rdv, statut: 'realise', ...changed('statut', 'confirme', 'realise'), version: 3 },
  'webhook.test': { event_id, endpoint_id: 'wh_01ka0z7m3q8d' },
}

/** The events of the contract, one of each kind. All have the same `event_id`. */
export const exampleEvents = Object.fromEntries(
  Object.entries(data).map(([event, its]) => [event, { event, timestamp: at, data: its }]),
) as { readonly [K in Kind]: EventOf<K> }
