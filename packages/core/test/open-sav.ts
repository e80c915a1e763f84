import { memoryStorage } from '../../../test/memory-storage.js'
import { allFeatures } from '../../all/src/index.js'
import type { PeopleOptions } from '../../people/src/people.js'
import { trustingPasskeys } from '../../people/src/testing/trusting-passkeys.js'
import { inlineSolver } from '../../planning/src/engines/rounds/solve-rounds.js'
import type { PlanningOptions } from '../../planning/src/planning.js'
import type { Actor } from '../src/access/actor.js'
import type { SendResult } from '../src/delivery/channel.js'
import type { SavDeps } from '../src/parts.js'
import { createUseCases } from '../src/sav.js'
import { fixedClock, httpAnswer, seededRandom } from '../src/testing/index.js'
import type { HttpSender } from '../src/webhooks/http-sender.js'
import { createWorker, type WorkerDeps } from '../src/worker.js'

type Request = Parameters<HttpSender['post']>[0]

/** A sender without a network, which keeps the requests and gives these answers. */
export function recordingHttp(answer: (request: Request) => SendResult | Promise<SendResult> = () => httpAnswer(200)) {
  const posted: Request[] = []
  const http: HttpSender = {
    async post(request) {
      posted.push(request)
      return answer(request)
    },
    async close() {},
  }
  return { http, posted }
}

/** A caller with a key of this account. */
export const as = (account_id: string): Actor => ({ account_id, type: 'cle', id: 'key_1', nom: 'caisse' })

export interface OpenSavOptions
  extends Partial<
      Pick<SavDeps, 'storage' | 'clock' | 'timeZone' | 'lookUp' | 'locate' | 'publicUrl' | 'reportRenderer'>
    >,
    Partial<Omit<WorkerDeps, keyof SavDeps>> {
  readonly receivers?: SavDeps['receivers']
  readonly people?: PeopleOptions
  readonly planning?: PlanningOptions
}

type Process = Omit<OpenSavOptions, 'storage' | 'clock'> &
  Required<Pick<OpenSavOptions, 'storage' | 'clock'>> & { readonly seed: number }

const hours = 3_600_000
/** Offsets of the six attempts after the event. */
export const schedule = [0, 30_000, 120_000, 600_000, 1 * hours, 6 * hours]

/** One process on a store, with a worker. Each needs a different seed. */
export function openProcess({
  seed,
  timeZone = 'Europe/Paris',
  receivers = { allowLocal: false },
  lookUp,
  locate,
  people = {},
  planning = {},
  publicUrl = null,
  reportRenderer = null,
  ...options
}: Process) {
  const { http, posted } = recordingHttp()
  const shared = {
    storage: options.storage,
    clock: options.clock,
    random: seededRandom(seed),
    secretKey: new Uint8Array(32).fill(7),
  }
  const letters = Object.keys(options.reports?.carriers ?? {})
  const features = allFeatures({
    people: { passkeyVerifier: trustingPasskeys, ...people },
    planning: { roundSolver: inlineSolver, letterDelayMs: 0, ...planning },
  })
  const sav = createUseCases({
    ...shared,
    features,
    timeZone,
    receivers,
    letters,
    publicUrl,
    reportRenderer,
    ...(lookUp && { lookUp }),
    ...(locate && { locate }),
  })
  const concurrency = { total: 256, perTarget: 16 }
  const worker = createWorker({
    http,
    schedule,
    timeoutMs: 5_000,
    concurrency,
    features,
    timeZone,
    publicUrl,
    ...options,
    ...shared,
  })
  return { sav, worker, posted }
}

/** A whole service in memory: one account with one client, one active poseur, and no endpoint. */
export async function openSav(options: OpenSavOptions = {}) {
  const clock = fixedClock()
  const storage = options.storage ?? (await memoryStorage())
  const { sav, worker, posted } = openProcess({ clock, ...options, storage, seed: 1 })
  const owner = await addAccount('default')

  async function addAccount(account_id: string) {
    const actor = as(account_id)
    await sav.accounts.add(actor, account_id)
    const client = await sav.directory.clients.add(actor, { nom: 'Durand', prenom: 'Alice' })
    const poseur = await sav.directory.poseurs.add(actor, { nom: 'Bruno Petit' })
    return { account_id, client, poseur, actor }
  }

  return { sav, worker, storage, clock, posted, addAccount, ...owner }
}
