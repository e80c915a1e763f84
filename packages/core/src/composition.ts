import type { LastUse } from './access/last-use.js'
import type { PermissionDeclarations } from './access/permissions.js'
import type { FindKey } from './crypto/sealing.js'
import { coreSubjects, subjectOf } from './delivery/event-kinds.js'
import type { EventDeclarations } from './delivery/outbox.js'
import type { KeptRows } from './delivery/upkeep.js'
import type { Job } from './delivery/worker.js'
import { conflict } from './errors.js'
import type { FeatureHooks, Hooks } from './hooks.js'
import type { LetterWriter } from './letters/letter-channel.js'
import type { NoticeOf } from './letters/notices.js'
import type { CoreParts } from './parts.js'
import type { Sentences } from './refusals/reason.js'
import type { PartToken, SharedPart } from './shared-part.js'
import type { Reads, Storage } from './storage.js'
import type { StoreToken } from './store-token.js'
import type { Clock } from './time/clock.js'
import type { NewId } from './values/ids.js'
import type { Random } from './values/random.js'
import type { CoreWrites } from './writes.js'

/** What the features of a service share. */
export interface FeatureParts extends CoreParts {
  /** The service's own storage, never one inside a caller's transaction. */
  readonly storage: Storage
  /** 32 bytes, from which a feature may derive keys. */
  readonly secretKey: Uint8Array
  readonly findSecretKey: FindKey | undefined
  /** The permissions of the core and of every feature. */
  readonly permissions: PermissionDeclarations
  /** A part that an earlier feature shares. @throws Error if there is none */
  readonly of: <T>(part: PartToken<T>) => T
}

/** A storage of the service: its own, or one inside the caller's transaction. */
export interface OnStorage {
  readonly storage: Storage
  readonly reads: Reads
  /** The hooks of all features, for a feature that writes as the core does. */
  readonly hooks: Hooks
  /** The core's writes, on this storage. */
  readonly writes: CoreWrites
}

/**
 * An optional part of the service, as a value: `createSav({ features: [tags()] })`. `Cases` are its use cases, by the
 * names that the service gives them. `Writes` are the use cases that write, as values for `perform`.
 */
export interface Feature<Cases extends object = object, Writes extends object = object> {
  readonly name: string
  /** Names of the features that it builds on, which must be composed before it. */
  readonly buildsOn?: readonly string[]
  /** Its refusals; their codes begin with its name: see `refusalsOf`. */
  readonly sentences?: Sentences
  /** The kinds of events that it emits: receivers may choose them. */
  readonly events?: EventDeclarations
  /** Permissions of its own, by names such as `tags:write`: its operations ask for them, and keys may have them. */
  readonly permissions?: PermissionDeclarations
  /** The repositories that it needs from the storage. */
  readonly stores?: readonly StoreToken<unknown>[]
  /** Called once for a service. */
  compose(parts: FeatureParts): ComposedFeature<Cases, Writes>
  /** Rows that it keeps for a limited time: workers and `sav purge` delete older ones. */
  retention?(of: Pick<WorkerParts, 'storage' | 'clock'>): KeptRows
  /** Its periodic jobs in a worker. */
  jobs?(of: WorkerParts): readonly Job[]
  /** Its letters, for a worker that sends letters. */
  letters?(of: WorkerParts): FeatureLetters
}

/** What the features of a worker share. */
export interface WorkerParts {
  readonly storage: Storage
  readonly clock: Clock
  readonly random: Random
  readonly newId: NewId
  /** The service's 32 bytes. */
  readonly secretKey: Uint8Array
  /** IANA name of the business time zone. */
  readonly timeZone: string
  /** The service's public address, without a trailing slash; null: unknown. */
  readonly publicUrl: string | null
}

/** The letters of a feature. */
export interface FeatureLetters {
  /** The writers of its letters. Each writes a letter when it is sent. */
  readonly writers?: readonly LetterWriter[]
  /** Its notices to the account, by type. */
  readonly notices?: Readonly<Record<string, NoticeOf>>
  readonly jobs?: readonly Job[]
}

/** A feature with the parts of its service. */
export interface ComposedFeature<Cases extends object, Writes extends object> extends FeatureHooks {
  /** The parts that it shares with features that build on it. */
  readonly shares?: readonly SharedPart[]
  /** The last uses of its credentials, which a server stores from time to time. */
  readonly uses?: readonly Pick<LastUse, 'flush'>[]
  /** Its use cases on one storage. */
  on(given: OnStorage): { readonly useCases: Cases; readonly writes: Writes }
}

/** The intersection of a union's members. */
type Together<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** All use cases of these features. */
export type CasesOf<F extends Feature> = Together<F extends Feature<infer Cases, object> ? Cases : never>

/** All writes of these features. */
export type WritesOfFeatures<F extends Feature> = Together<F extends Feature<object, infer Writes> ? Writes : never>

/** Refuses an operation that would leave rows of a feature behind, because the feature is not composed. */
export const uncomposedRefusal =
  (features: readonly Feature[], { featuresHeld = async () => [] }: Pick<Storage, 'featuresHeld'>) =>
  async (): Promise<void> => {
    const missing = (await featuresHeld()).filter((held) => !features.some(({ name }) => name === held))
    if (missing.length > 0) throw conflict('feature_not_composed', { features: missing.join(', ') })
  }

/**
 * Checks that these features can be composed. @throws Error that names a repeated feature, a missing feature or
 * repository, or a kind of event whose first word belongs to another feature or the core
 */
export function refuseIncomplete(features: readonly Feature[], { reads }: Pick<Storage, 'reads'>): void {
  const before = new Set<string>()
  const subjects = new Map<string, string>([...coreSubjects].map((subject) => [subject, 'the core']))
  for (const { name, buildsOn = [], stores = [], events = {} } of features) {
    if (before.has(name)) throw new Error(`The feature ${name} is given twice: compose it once.`)
    for (const other of buildsOn)
      if (!before.has(other)) throw new Error(`${name} needs ${other}: put ${other} before it in \`features\`.`)
    for (const store of stores) reads.of(store)
    for (const kind of Object.keys(events)) {
      const owner = subjects.get(subjectOf(kind)) ?? name
      if (owner !== name)
        throw new Error(`${name} declares ${kind}: choose another word before the dot, because ${owner} uses it.`)
      subjects.set(subjectOf(kind), name)
    }
    before.add(name)
  }
}

/** The rows that these features keep for a limited time. */
export const keptRowsOf = (features: readonly Feature[], of: Pick<WorkerParts, 'storage' | 'clock'>): KeptRows[] =>
  features.flatMap((feature) => feature.retention?.(of) ?? [])

/** Composes the features in order, each with what earlier ones share. */
export function composedOf(features: readonly Feature[], parts: Omit<FeatureParts, 'of'>) {
  const shared: SharedPart[] = []
  const composed: ComposedFeature<object, object>[] = []
  for (const feature of features) {
    const each = feature.compose({ ...parts, of: (part) => part.in(shared) })
    shared.push(...(each.shares ?? []))
    composed.push(each)
  }
  return composed
}
