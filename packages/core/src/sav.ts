import type { EventKind } from '@sav/webhook-verify'
import { createKnownKeys, type Keys, keyQueries, keyWrites } from './access/api-keys.js'
import { type Audit, createAudit } from './access/audit.js'
import { createHeartbeat } from './access/heartbeat.js'
import { createIdempotency, type Idempotency } from './access/idempotency.js'
import { createLastUse } from './access/last-use.js'
import { createLimits, type Limits } from './access/limits.js'
import type { RateLimit } from './access/rate-limit.js'
import { type BackgroundWork, createServing } from './access/serving.js'
import { additionWrites } from './cases/additions.js'
import { caseWrites } from './cases/case-writes.js'
import { type Cases, caseQueries } from './cases/cases.js'
import { type AccountErasure, accountErasure } from './cases/erasing-accounts.js'
import { erasureWrites, type OutsideErasure } from './cases/erasure.js'
import { reportResending } from './cases/report-resending.js'
import { sampleReports } from './cases/sample-report.js'
import {
  type CasesOf,
  type Feature,
  kindsOf,
  refuseIncomplete,
  uncomposedRefusal,
  type WritesOfFeatures,
} from './composition.js'
import { createSealer, type FindKey } from './crypto/sealing.js'
import { signedTexts } from './crypto/signed-text.js'
import { type Deliveries, deliveryQueries, deliveryWrites } from './delivery/deliveries.js'
import { createLive, type Live } from './delivery/live.js'
import { type Replays, replayQueries, replayWrites } from './delivery/replays.js'
import { createRetention, type Retention } from './delivery/upkeep.js'
import { createAccountLimits } from './directory/account-limits.js'
import { type Accounts, accountQueries, accountWrites } from './directory/accounts.js'
import { type Clients, clientQueries, clientWrites } from './directory/clients.js'
import type { LocateLieu } from './directory/lieu.js'
import { type Poseurs, poseurQueries, poseurWrites } from './directory/poseurs.js'
import { type Anchor, anchorsOf } from './evidence/anchor.js'
import type { EvidenceEntry } from './evidence/evidence.js'
import { checkEvidence, type EvidenceCheckOptions } from './evidence/evidence-check.js'
import type { EvidenceReport } from './evidence/evidence-report.js'
import { checkCase, checkPrinted, type closeCheckShape, type PrintedCheck } from './evidence/printed-check.js'
import type { StampVerifier } from './evidence/timestamper.js'
import { createFactDigests } from './field/fact-digests.js'
import { type Field, fieldQueries, fieldWrites } from './field/field.js'
import { type FollowUps, followUpQueries, followUpWrites } from './follow-ups/follow-ups.js'
import type { LetterChannel } from './letters/letter.js'
import { createNotify } from './letters/notices.js'
import { agendaQueries, agendaWrites } from './planning/agendas/agendas.js'
import {
  createCustomerLetters,
  noChannels,
  type RdvLetterChannels,
  rdvLetterDelayMs,
} from './planning/appointments/customer-letters.js'
import { cancelComing, endVisit, erasureOfRdv, refuseWhileBooked } from './planning/appointments/effects.js'
import { type Calendars, calendarQueries, calendarWrites } from './planning/calendars/calendars.js'
import { type RdvPages, rdvPageQueries, rdvPageWrites } from './planning/customers/rdv-pages.js'
import { type Planning, rdvQueries } from './planning/planning.js'
import { rdvWrites } from './planning/planning-writes.js'
import { daysAsTheyStand, roundQueries, roundWrites } from './planning/rounds/day-rounds.js'
import type { RoundSolver } from './planning/rounds/round-problem.js'
import { slotAdvice, slotOffers } from './planning/slots/slot-offers.js'
import { createSlotTokens } from './planning/slots/slot-token.js'
import { travelByBands } from './planning/travel/bands.js'
import type { TravelTimes } from './planning/travel/travel-times.js'
import type { ReportRenderer } from './reports/report.js'
import { createFairQueue } from './running/fair-queue.js'
import type { Storage } from './storage.js'
import type { Clock } from './time/clock.js'
import { businessCalendar, calendars } from './time/time.js'
import { createChallenges } from './users/challenges.js'
import type { IdentityProvider } from './users/identity-provider.js'
import type { PasskeyVerifier } from './users/passkey-verifier.js'
import { createKnownSessions, type Sessions, sessionQueries, sessionWrites } from './users/sessions.js'
import { type SignIns, signInQueries, signInWrites } from './users/sign-ins.js'
import { type Users, userQueries, userWrites } from './users/users.js'
import { type Views, viewQueries, viewWrites } from './users/views.js'
import { idMaker } from './values/ids.js'
import type { Random } from './values/random.js'
import type { Shape } from './values/shape.js'
import { endpointWrites } from './webhooks/endpoint-writes.js'
import { type Endpoints, endpointQueries } from './webhooks/endpoints.js'
import type { LookUp } from './webhooks/receiver-name.js'
import type { ReceiverPolicy } from './webhooks/receiver-url.js'
import { type BeforeCommit, perform, performing, type Write } from './write.js'

/** The parts that a service and its worker need from outside, clock, random numbers and network included. */
export interface SavDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly random: Random
  /** 32 bytes: seals webhook secrets at rest. */
  readonly secretKey: Uint8Array
  /** Opens what an earlier or a later secret key has sealed; needed only while keys are rotated. */
  readonly findSecretKey?: FindKey
  /** IANA name of the business time zone. `Europe/Paris` by default. */
  readonly timeZone?: string
  /** The service's public address, which begins the addresses that it makes; without it they are paths. */
  readonly publicUrl?: string | null
  /** Which URLs an endpoint may have. By default `https` at public addresses alone. */
  readonly receivers?: ReceiverPolicy
  /**
   * Looks up names, so that a receiver at a refused address is not saved. Without it only the sender finds that out.
   */
  readonly lookUp?: LookUp
  /** The channels by which reports reach people. A worker carries them, here or in another process. None by default. */
  readonly letters?: readonly LetterChannel[]
  /** The channels by which letters on appointments reach customers, for each kind that is sent. */
  readonly rdvLetters?: Partial<RdvLetterChannels>
  /** How long letters on changes of an appointment wait for further changes; a minute by default. */
  readonly rdvLetterDelayMs?: number
  /** Reads time stamps of the evidence when it is verified; without it only their place in the chain is checked. */
  readonly stampVerifier?: StampVerifier | null
  /** Plans rounds, such as that of `@sav/travel`; without it the days stay as they are. */
  readonly roundSolver?: RoundSolver
  /** Travel times for rounds; without it they are estimated from the distance. */
  readonly travelTimes?: TravelTimes
  /** Finds the coordinates of a place that is saved without; without it, postal code and town place it. See `@sav/travel`. */
  readonly locate?: LocateLieu
  /** Checks passkeys; without it no sign-in by passkey is possible. See `@sav/sign-in`. */
  readonly passkeyVerifier?: PasskeyVerifier | null
  /** An identity provider for sign-ins; without it there are none by a provider. See `@sav/sign-in`. */
  readonly identityProvider?: IdentityProvider | null
  /** Draws the sample report of an account, and the small pictures for phones; without it there are none. */
  readonly reportRenderer?: ReportRenderer | null
  /** The limits of each key or user and of each account, in this process; without it, or null, there are none. */
  readonly rateLimit?: RateLimit | null
  /** Called with faults of background work: audit, key use, heartbeat. */
  readonly onFault?: (error: unknown) => void
}

/** The use cases for callers, with those of the features `F`. */
export type UseCases<F extends Feature = never> = CoreUseCases & CasesOf<F>

/** The use cases of the core. */
export interface CoreUseCases {
  readonly accounts: Accounts & AccountErasure
  readonly keys: Keys
  readonly users: Users & Views
  readonly sessions: Sessions
  readonly signIns: SignIns
  readonly directory: { readonly clients: Clients; readonly poseurs: Poseurs }
  readonly cases: Cases
  readonly planning: Planning
  readonly field: Field
  readonly calendars: Calendars
  readonly rdvPages: RdvPages
  readonly followUps: FollowUps
  readonly evidence: {
    /** See checkEvidence. */
    verify(account_id: string, options?: EvidenceCheckOptions): Promise<EvidenceReport>
    /** The entries after `afterSequence` up to `sequence`: the way of the chain from a close to the entry that is stamped. */
    entries(
      account_id: string,
      range: { readonly afterSequence: number; readonly sequence: number },
    ): Promise<EvidenceEntry[]>
    /** The end of each account's chain: see Anchor. */
    anchors(): Promise<Anchor[]>
    /** See PrintedCheck. @param hash of a report, or its first 16 digits or more. Null for an unknown one */
    checkPrinted(hash: string): Promise<PrintedCheck | null>
    /** Each close of a case, oldest first. @throws {CaseNotFoundError} */
    checkCase(account_id: string, id: number): Promise<Shape<typeof closeCheckShape>[]>
  }
  readonly webhooks: { readonly endpoints: Endpoints; readonly deliveries: Deliveries; readonly replays: Replays }
  /** Deletes deliveries that were kept long enough; a worker does it daily. */
  readonly retention: Retention
}

type CoreWrites = ReturnType<typeof writesOf>

/** The use cases that write, as values that `perform` does. */
export type Writes<F extends Feature = never> = CoreWrites & WritesOfFeatures<F>

/** The service without its worker: the use cases, and the background work of a server. */
export type Sav<F extends Feature = never> = UseCases<F> & {
  /** The same writes, not done yet: for a caller that adds to their transaction. */
  readonly writes: Writes<F>
  /** Does a write, with `beforeCommit` in its one transaction: when either rejects, nothing of both is written. */
  perform<Result>(write: Write<Result>, beforeCommit?: BeforeCommit<Result>): Promise<Result>
  readonly audit: Audit
  readonly idempotency: Idempotency
  readonly limits: Limits
  readonly live: Live
  /** How far the store's clock is ahead of this process's, in ms; null where it is the same clock: see Storage. */
  clockDifferenceMs(): number | null
  /** Started before a process answers its first call, and stopped after its last. */
  readonly serving: BackgroundWork
  /**
   * The same service inside a transaction of the caller, and good for that one alone:
   * `sav.inTransaction(storage.inTransaction(trx))`. A call that is not awaited there may be refused.
   */
  inTransaction(storage: Storage): UseCases<F>
}

/** The parts that all features share, on one storage. */
function partsOf(deps: SavDeps) {
  const { clock, random, secretKey, findSecretKey, lookUp } = deps
  const { timeZone = 'Europe/Paris', receivers = { allowLocal: false } } = deps
  const {
    letters: letterChannels = [],
    stampVerifier = null,
    roundSolver = daysAsTheyStand,
    travelTimes = travelByBands,
  } = deps
  const { locate = nowhereFound, passkeyVerifier = null, identityProvider = null, reportRenderer = null } = deps
  const newId = idMaker(clock, random)
  // The effects of planning on customers and the office. The rooms that they know must not know them.
  const letters = createCustomerLetters({
    newId,
    channels: { ...noChannels, ...deps.rdvLetters },
    delayMs: deps.rdvLetterDelayMs ?? rdvLetterDelayMs,
  })
  const elsewhere = {
    endsVisit: endVisit({ newId, random }),
    closesWith: cancelComing({ newId, letters }),
    erasedElsewhere: erasureOfRdv,
    releases: refuseWhileBooked,
  }
  const calendar = businessCalendar(timeZone)
  const calendarOf = calendars(calendar)
  const tokens = createSlotTokens(secretKey, findSecretKey)
  return {
    clock,
    random,
    notify: createNotify({ clock, newId, byEmail: letterChannels.includes('email') }),
    locate,
    receivers,
    publicUrl: deps.publicUrl?.replace(/\/{1,9}$/, '') ?? null,
    lookUp,
    letterChannels,
    letters,
    stampVerifier,
    newId,
    advice: slotAdvice({ clock, calendarOf, tokens }),
    tokens,
    factDigests: createFactDigests(secretKey, findSecretKey),
    solver: roundSolver,
    // Two, so that a small day need not wait for another account's large one.
    queue: createFairQueue({ atOnce: 2, waitingPerCaller: 2 }),
    travel: travelTimes,
    previews: signedTexts({ secretKey, findKey: findSecretKey, purpose: 'sav round preview', version: 't1' }),
    undos: signedTexts({ secretKey, findKey: findSecretKey, purpose: 'sav planning undo', version: 'u1' }),
    ...elsewhere,
    calendarOf,
    calendar,
    sealer: createSealer(secretKey, random, findSecretKey),
    known: createKnownKeys(clock),
    limits: createAccountLimits(clock, calendar),
    knownSessions: createKnownSessions(clock),
    challenges: createChallenges({ clock, random, secretKey, findSecretKey }),
    passkeyVerifier,
    identityProvider,
    reportRenderer,
  }
}

type Parts = ReturnType<typeof partsOf> & {
  readonly kinds: readonly EventKind[]
  readonly refuseUncomposed: () => Promise<void>
}

/** All of them, one after the other. */
const inTurn = (erasures: readonly OutsideErasure[]): OutsideErasure => ({
  async lock(...of) {
    for (const { lock } of erasures) await lock(...of)
  },
  async erase(...of) {
    for (const { erase } of erasures) await erase(...of)
  },
})

const nowhereFound: LocateLieu = async () => null

function writesOf(storage: Storage, parts: Parts) {
  const deps = { ...parts, storage, reads: storage.reads }
  const planning = rdvWrites(deps)
  const cases = { ...caseWrites(deps), ...additionWrites(deps), ...reportResending(deps) }
  return {
    accounts: accountWrites(deps),
    keys: keyWrites(deps),
    users: { ...userWrites(deps), ...viewWrites() },
    sessions: sessionWrites(deps),
    signIns: signInWrites(deps),
    clients: { ...clientWrites(deps), ...erasureWrites(deps) },
    poseurs: poseurWrites(deps),
    cases,
    planning: { ...planning, ...agendaWrites(deps), ...roundWrites(deps) },
    field: fieldWrites({ ...deps, cases, planning }),
    rdvPages: rdvPageWrites({ ...deps, planning }),
    calendars: calendarWrites(deps),
    followUps: followUpWrites(deps),
    endpoints: endpointWrites(deps),
    deliveries: deliveryWrites(deps),
    replays: replayWrites(deps),
  }
}

/**
 * Makes the use cases alone. `createService` makes a service that also sends and serves.
 * @throws Error for a feature that needs another one, or a storage with its tables
 */
export function createUseCases<const F extends readonly Feature[] = readonly []>(
  deps: SavDeps & { readonly features?: F },
): Sav<F[number]> {
  const { storage, clock, random, onFault = () => {} } = deps
  const features: readonly Feature[] = deps.features ?? []
  refuseIncomplete(features, storage)
  const kinds = kindsOf(features)
  const refuseUncomposed = uncomposedRefusal(features, storage)
  const parts = { ...partsOf(deps), kinds, refuseUncomposed }
  const composed = features.map((feature) =>
    feature.compose({ ...parts, secretKey: deps.secretKey, findSecretKey: deps.findSecretKey }),
  )
  const keyUse = createLastUse({ storage, clock, write: (tx, uses) => tx.keys.noteUse(uses) })
  const sessionUse = createLastUse({ storage, clock, write: (tx, uses) => tx.sessions.noteUse(uses) })

  function coreUseCases(storage: Storage, writes: CoreWrites): CoreUseCases {
    const { reads } = storage
    const deps = { ...parts, storage, reads, used: keyUse.note, sessionUsed: sessionUse.note }
    return {
      accounts: { ...accountQueries(deps), ...performing(storage, writes.accounts), ...accountErasure(deps) },
      keys: { ...keyQueries(deps), ...performing(storage, writes.keys) },
      users: { ...userQueries(deps), ...viewQueries(deps), ...performing(storage, writes.users) },
      sessions: { ...sessionQueries(deps), ...performing(storage, writes.sessions) },
      signIns: {
        passkeys: parts.passkeyVerifier !== null,
        oidc: parts.identityProvider !== null,
        ...signInQueries(deps),
        ...performing(storage, writes.signIns),
      },
      directory: {
        clients: { ...clientQueries(deps), ...performing(storage, writes.clients) },
        poseurs: { ...poseurQueries(deps), ...performing(storage, writes.poseurs) },
      },
      cases: { ...caseQueries(deps), ...sampleReports(deps), ...performing(storage, writes.cases) },
      field: { ...fieldQueries({ ...deps, planning: slotOffers(deps) }), ...performing(storage, writes.field) },
      planning: {
        ...rdvQueries(deps),
        ...agendaQueries(deps),
        ...slotOffers(deps),
        ...roundQueries(deps),
        ...performing(storage, writes.planning),
      },
      rdvPages: { ...rdvPageQueries(deps), ...performing(storage, writes.rdvPages) },
      calendars: { ...calendarQueries(deps), ...performing(storage, writes.calendars) },
      followUps: { ...followUpQueries(deps), ...performing(storage, writes.followUps) },
      evidence: {
        verify: (account_id, options) => checkEvidence(deps, account_id, options),
        async entries(account_id, { afterSequence, sequence }) {
          const limit = Math.max(0, sequence - afterSequence)
          return (await reads.evidence.walk(account_id, { afterSequence, limit })).map(({ entry }) => entry)
        },
        anchors: () => anchorsOf(reads),
        checkCase: (account_id, id) => checkCase(reads, account_id, id),
        checkPrinted: (hash) => checkPrinted({ reads, zoneOf: (fuseau) => parts.calendarOf(fuseau).timeZone }, hash),
      },
      webhooks: {
        endpoints: { ...endpointQueries(deps), ...performing(storage, writes.endpoints) },
        deliveries: { ...deliveryQueries(deps), ...performing(storage, writes.deliveries) },
        replays: { ...replayQueries(deps), ...performing(storage, writes.replays) },
      },
      retention: createRetention({ storage, clock }),
    }
  }

  const erasedElsewhere = inTurn([parts.erasedElsewhere, ...composed.flatMap(({ erasesClient = [] }) => erasesClient)])

  function useCases(storage: Storage, given: Parts) {
    const parts = { ...given, erasedElsewhere }
    const writes = writesOf(storage, parts)
    const added = composed.map((feature) => feature.on({ storage, reads: storage.reads }))
    return {
      useCases: Object.assign(coreUseCases(storage, writes), ...added.map(({ useCases }) => useCases)),
      writes: Object.assign(writes, ...added.map(({ writes }) => writes)),
    }
  }

  const own = useCases(storage, parts)
  const audit = createAudit({ storage, clock, calendar: parts.calendar, newId: parts.newId, fault: onFault })
  const limits = createLimits(deps.rateLimit ?? null, clock)
  return {
    ...own.useCases,
    writes: own.writes,
    perform: (write, beforeCommit) => perform(storage, write, beforeCommit),
    audit,
    idempotency: createIdempotency({ storage, clock, sealer: parts.sealer }),
    limits,
    live: createLive({ storage, clock, kinds, fault: onFault }),
    clockDifferenceMs: () => storage.clockDifferenceMs?.() ?? null,
    serving: createServing({
      clock,
      heartbeat: createHeartbeat({ storage, clock, random }),
      audit,
      uses: [keyUse, sessionUse],
      fault: onFault,
    }),
    // The caller's own transaction must not wait for a map.
    inTransaction: (storage) => useCases(storage, { ...parts, locate: nowhereFound }).useCases,
  }
}
