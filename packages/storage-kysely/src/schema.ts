import type {
  Account,
  DeliveryState,
  EvidenceEntry,
  FileRemoval,
  HistoryKind,
  Lane,
  NewHistoryEntry,
  Passkey,
  ReplayJob,
  ReportRecord,
  SavCase,
  SessionRecord,
  SignInAttempt,
  User,
} from '@sav/core/ports'
import type { Generated } from 'kysely'
import type {
  AgendaTable,
  CalendarTable,
  InterventionTable,
  RdvPageTable,
  RdvPersonTable,
  RdvTable,
} from './planning-schema.js'

/**
 * The tables, alike in every dialect: instants are fixed-width ISO 8601 text in UTC, JSON is text, and there are no
 * booleans (an instant or null says more). `recherche…` columns hold the folded form of what is searched.
 */
export interface Schema {
  accounts: AccountTable
  account_logos: AccountLogoTable
  api_keys: ApiKeyTable
  users: User
  passkeys: PasskeyTable
  sessions: SessionRecord
  sign_in_attempts: SignInAttempt
  audit: AuditTable
  answers: AnswerTable
  processes: ProcessTable
  buckets: BucketTable
  clients: ClientTable
  poseurs: PoseurTable
  cases: CaseTable
  rdv: RdvTable
  rdv_personnes: RdvPersonTable
  interventions: InterventionTable
  agendas: AgendaTable
  calendriers: CalendarTable
  rdv_pages: RdvPageTable
  case_history: CaseHistoryTable
  case_tallies: CaseTallyTable
  reference_counters: ReferenceCounterTable
  files: FileTable
  case_files: CaseFileTable
  file_removals: FileRemoval
  evidence_entries: EvidenceEntryTable
  evidence_snapshots: EvidenceSnapshotTable
  evidence_stamps: EvidenceStampTable
  reports: ReportTable
  webhook_endpoints: WebhookEndpointTable
  endpoint_events: EndpointEventTable
  subscriptions: SubscriptionTable
  events: EventTable
  deliveries: DeliveryTable
  delivery_queue: DeliveryQueueTable
  failed_deliveries: FailedDeliveryTable
  attempts: AttemptTable
  replay_jobs: ReplayJobTable
  facts: FactTable
  commit_marks: CommitMarkTable
}

export interface AccountTable {
  id: string
  raison_sociale: string | null
  adresse: string | null
  siret: string | null
  email: string | null
  telephone: string | null
  assureur: string | null
  mediateur: string | null
  /** SHA-256 of a row of `account_logos`. */
  logo: string | null
  signature_requise_depuis: string | null
  confirmation_rdv_depuis: string | null
  rappel_rdv_depuis: string | null
  /** JSON object, as all of that name. */
  lieu: string | null
  zone_feries: Account['zone_feries']
  fuseau: string | null
  nom_expediteur: string | null
  repondre_a: string | null
  url_publique: string | null
  created_at: string
}

export interface AccountLogoTable {
  account_id: string
  sha256: string
  media_type: string
  content: Uint8Array
}

export interface ApiKeyTable {
  account_id: string
  id: string
  nom: string
  hash: string
  /** JSON array of permissions. */
  permissions: string
  /** JSON array of CIDRs. */
  ips: string
  created_at: string
  expires_at: string
  revoked_at: string | null
  last_used_at: string | null
}

export interface PasskeyTable extends Omit<Passkey, 'transports'> {
  /** JSON array. */
  transports: string
}

export interface AuditTable {
  /** Empty where no account could be found. */
  account_id: string
  time: string
  id: string
  ip: string
  method: string
  endpoint: string
  key_id: string | null
  user_id: string | null
  status: number
  duration_ms: number
  request_id: string
  calls: Generated<number>
}

export interface AnswerTable {
  account_id: string
  key_id: string
  request: string
  body: string
  status: number
  answer: string
  created_at: string
  client_id: number | null
  case_id: number | null
}

export interface ProcessTable {
  id: string
  at: string
  says: string
}

export interface BucketTable {
  name: string
  /** Microseconds since the Unix epoch. */
  full_at: number
}

export interface ClientTable {
  account_id: string
  id: Generated<number>
  nom: string
  prenom: string
  email: string | null
  telephone: string | null
  adresse: string | null
  lieu: string | null
  whatsapp_depuis: string | null
  efface_le: string | null
  /** Of `nom` and `prenom`. */
  recherche_nom: string
  /** Of `email`, empty when there is none. */
  recherche_email: string
}

export interface PoseurTable {
  account_id: string
  id: Generated<number>
  nom: string
  inactif_depuis: string | null
  email: string | null
  couleur: string | null
  lieu: string | null
  lieu_retour: string | null
}

export interface CaseTable {
  account_id: string
  id: Generated<number>
  annee: number
  numero: number
  client_id: number
  poseur_id: number | null
  statut: SavCase['statut']
  priorite: SavCase['priorite']
  type_probleme: SavCase['type_probleme']
  description: string
  /** JSON array. */
  photos: string
  notes_internes: string | null
  date_creation: string
  date_modification: string
  version: number
  /** This and what follows up to `reserves`: null unless the case is closed. */
  date_cloture: string | null
  resolution: string | null
  photo_avant: string | null
  photo_apres: string | null
  signature_client: string | null
  signataire_nom: string | null
  /** JSON array. */
  reserves: string | null
  /** Of the reference and `description`. */
  recherche: string
  /** The end of the history's chain. */
  historique_numero: number | null
  historique_hash: string | null
  sel_notes: string | null
  /** `recherche_nom` of the client. */
  recherche_client: Generated<string>
}

export interface CaseHistoryTable {
  account_id: string
  case_id: number
  id: Generated<number>
  date: string
  type: HistoryKind
  acteur_type: NewHistoryEntry['acteur']['type']
  acteur_id: string | null
  acteur_nom: string
  champ: string | null
  /** JSON, so that a number stays a number. */
  ancienne_valeur: string
  nouvelle_valeur: string
  commentaire: string | null
  /** This and what follows: the line's place in the chain of its case. */
  numero: number | null
  hash: string | null
  sel: string | null
  /** JSON object. */
  empreintes: string | null
}

/** How many cases of a status were created on a UTC day: totals of lists without reading the cases. */
export interface CaseTallyTable {
  account_id: string
  /** `2026-01-15` */
  jour: string
  statut: SavCase['statut']
  nombre: number
}

export interface ReferenceCounterTable {
  account_id: string
  annee: number
  dernier: number
}

export interface FileTable {
  account_id: string
  sha256: string
  media_type: string
  content: Uint8Array
}

export interface CaseFileTable {
  account_id: string
  case_id: number
  sha256: string
}

export interface EvidenceEntryTable {
  account_id: string
  sequence: number
  version: EvidenceEntry['version']
  case_id: number
  reference: string
  date: string
  hash_dossier: string
  hash_precedent: string
  hash_entree: string
}

export interface EvidenceSnapshotTable {
  account_id: string
  hash_dossier: string
  snapshot: string
}

export interface EvidenceStampTable {
  account_id: string
  sequence: number
  hash_entree: string
  date: string
  token: Uint8Array
}

export interface ReportTable {
  account_id: string
  sequence: number
  case_id: number
  reference: string
  event_id: string | null
  statut: ReportRecord['statut']
  canal: string | null
  pdf: string | null
  erased_at: string | null
  created_at: string
}

export interface WebhookEndpointTable {
  account_id: string
  id: string
  url: string
  description: string | null
  /** JSON array of event kinds; `endpoint_events` is the same for looking up. */
  events: string
  sealed_secret: string
  /** JSON array. */
  previous_secrets: string
  sealed_headers: string | null
  disabled_at: string | null
  disabled_reason: string | null
  removed_at: string | null
  failing_since: string | null
  created_at: string
  updated_at: string
}

/** Endpoints by the kind of event that they chose; a removed endpoint has none. */
export interface EndpointEventTable {
  account_id: string
  event: string
  endpoint_id: string
}

export interface SubscriptionTable {
  event: string
  /** `host:…` */
  target: string
}

export interface EventTable {
  account_id: string
  id: string
  event: string
  body: string
  created_at: string
}

export interface DeliveryTable {
  account_id: string
  id: string
  event_id: string
  event: string
  channel: string
  target: string
  /** Whoever changes it moves the row of `delivery_queue` or `failed_deliveries` as well. */
  state: DeliveryState
  attempt_count: number
  /** As in the queue; null once the state is final. */
  next_attempt_at: string | null
  last_status: number | null
  last_error: string | null
  created_at: string
}

/** What a worker needs of each delivery that is pending: a row of its own, so that attempts change no index of `deliveries`. */
export interface DeliveryQueueTable {
  account_id: string
  created_at: string
  id: string
  event_id: string
  event: string
  channel: string
  target: string
  lane: Lane
  attempt_count: number
  run_attempt_count: number
  run_started_at: string
  /** The schedule. */
  next_attempt_at: string
  /** From when it may be claimed: `next_attempt_at`, or the end of the lease while it is claimed. */
  available_at: string
  lease_token: string | null
  intended_at: string | null
  /** W3C trace context; null unless somebody traces. */
  traceparent: string | null
}

/** A row for each delivery that failed: what lists and counts of them ask for. */
export interface FailedDeliveryTable {
  account_id: string
  created_at: string
  id: string
  event: string
  channel: string
  target: string
}

export interface AttemptTable {
  account_id: string
  delivery_id: string
  n: number
  started_at: string
  duration_ms: number
  status: number | null
  error: string | null
  /** JSON object. */
  response_headers: string | null
  response: string | null
}

export interface ReplayJobTable {
  account_id: string
  id: string
  state: ReplayJob['state']
  /** JSON object. */
  filter: string
  /** JSON object. */
  position: string
  matched: number
  retried: number
  created_at: string
  ended_at: string | null
}

export interface FactTable {
  name: string
  value: string
}

/** The latest transaction of each connection: see commit-marks.ts. Unused where no answer to a commit can be lost. */
export interface CommitMarkTable {
  connection: string
  mark: string
  at: string
}
