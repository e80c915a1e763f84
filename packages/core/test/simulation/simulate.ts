import { memoryStorage } from '../../../../test/memory-storage.js'
import { createSealer } from '../../src/crypto/sealing.js'
import type { Channel } from '../../src/delivery/channel.js'
import { deliveryJobs } from '../../src/delivery/upkeep.js'
import { createDeliveryWorker } from '../../src/delivery/worker.js'
import { SavError, UnavailableError } from '../../src/errors.js'
import { createUseCases, type Sav } from '../../src/sav.js'
import type { Storage } from '../../src/storage.js'
import { seededRandom } from '../../src/testing/index.js'
import type { Clock } from '../../src/time/clock.js'
import type { Random } from '../../src/values/random.js'
import { createEndpointHealth } from '../../src/webhooks/endpoint-health.js'
import { webhookChannel } from '../../src/webhooks/webhook-channel.js'
import { as, schedule } from '../open-sav.js'
import { Ledger, receiverHeader } from './ledger.js'
import { moods, Receivers } from './receivers.js'
import { Host, Simulation } from './simulation.js'
import { lineTo } from './store.js'

const timeoutMs = 5_000
const account_id = 'default'
const actor = as(account_id)
const secretKey = new Uint8Array(32).fill(7)

/** How many events happen to the three processes. */
const turns = 40

/** In the calm at the end, everything must end within this time: longer than any run of attempts. */
const patienceMs = 86_400_000

/** The most steps of a history: more than ten times what any history needs. Beyond it, something repeats endlessly. */
const maxSteps = 500_000

export interface SimulationResult {
  readonly violation: string | null
  /** Equal for two runs in which the same things happened at the same times. */
  readonly digest: number
  readonly steps: number
  readonly cases: number
  readonly deliveries: number
  readonly reached: Ledger['reached']
  /** What happened, line by line, if `traced`. */
  readonly trace: readonly string[]
}

/** A history of a service of three processes, which the seed determines. */
export async function simulate(seed: number, { traced = false } = {}): Promise<SimulationResult> {
  const simulation = new Simulation(seed, traced)
  const { chance } = simulation
  const storage = await memoryStorage()
  simulation.steadyStore = chance.oneIn(2)
  const concurrency = { total: chance.pick([4, 8, 12, 64]), perTarget: chance.pick([1, 2, 4, 16]) }
  const sealer = createSealer(secretKey, seededRandom(seed))
  const ledger = new Ledger({ simulation, storage, sealer, account_id, schedule, timeoutMs })
  const receivers = new Receivers(simulation)
  /** Whether the processes run on one machine with one clock, or on three. */
  const oneClock = chance.oneIn(2)
  const processes: Process[] = []
  let machineOffset = 0
  let lives = 0
  let endpoints = 0
  let nextTurnAt = Number.POSITIVE_INFINITY

  interface Process {
    readonly host: Host
    readonly sav: Sav
    readonly startedAt: number
    wake(): void
    stop(): Promise<unknown>
  }

  const open = (storage: Storage, clock: Clock, random: Random) =>
    createUseCases({ storage, clock, random, secretKey, timeZone: 'UTC', receivers: { allowLocal: false } })

  function spawn(): Process {
    const host = new Host(`p${++lives}`, simulation)
    host.offset = machineOffset
    host.troubledAt = simulation.now - 1_000_000
    const store = lineTo(storage, host, simulation, ledger)
    const random = seededRandom(seed * 1_000 + lives)
    const http = receivers.sender(host, ledger)
    const { clock } = host
    const fault = (error: unknown) => {
      if (!(error instanceof UnavailableError)) ledger.fail(host.name, 'met', error instanceof Error && error.stack)
    }
    const sav = open(store, clock, random)
    const webhook = webhookChannel({ reads: store.reads, http, timeoutMs, sealer, clock })
    const health = createEndpointHealth({ storage: store, clock, notify: async () => {} })
    const worker = createDeliveryWorker({
      schedule,
      concurrency,
      queue: store.queue,
      channels: { webhook: watched(host, webhook) },
      clock,
      random,
      jobs: deliveryJobs({ storage: store, clock, kept: [] }),
      onRecorded: async (outcomes) => void (await health.note(outcomes)),
      observe: (event) => event.type === 'fault' && fault(event.error),
    })
    worker.start()
    simulation.note(host.name, 'begins')
    return { host, sav, startedAt: simulation.now, wake: worker.wake, stop: worker.stop }
  }

  function watched(host: Host, channel: Channel): Channel {
    return {
      timeoutMs,
      send(delivery, attempt) {
        ledger.started(host, delivery, attempt.startedAt)
        return channel.send(delivery, attempt).finally(() => ledger.ended(host))
      },
    }
  }

  const some = () => processes[chance.below(processes.length)]

  /** Runs an operation in some process. A refusal of the service is not a violation. */
  function ask(operation: (process: Process) => Promise<unknown>): void {
    const process = some()
    if (process === undefined) return
    process.host.enter(() => {
      operation(process).then(
        () => process.wake(),
        (error: unknown) => {
          if (!(error instanceof SavError)) ledger.fail('an operation met', error instanceof Error && error.stack)
        },
      )
    })
  }

  function addEndpoint({ sav }: Process): Promise<unknown> {
    const path = `/r${++endpoints}`
    receivers.setMood(path, simulation.calm ? 'well' : chance.pick(moods))
    return sav.webhooks.endpoints.add(actor, {
      url: `https://receiver.example${path}`,
      events: ['sav.created'],
      headers: { [receiverHeader]: path },
    })
  }

  async function someEndpoint(operation: (id: string) => Promise<unknown>): Promise<void> {
    const listed = await storage.reads.endpoints.list(account_id)
    const endpoint = listed[chance.below(listed.length)]
    if (endpoint !== undefined) await operation(endpoint.id)
  }

  function someDelivery(): string {
    return [...ledger.rows.keys()][chance.below(ledger.rows.size)] ?? 'dlv_none'
  }

  function end(process: Process): void {
    process.host.crash()
    ledger.forget(process.host)
    processes.splice(processes.indexOf(process), 1)
  }

  function turn(): void {
    const process = some()
    const { awayUntil } = simulation
    const kind = chance.below(30)
    simulation.note('turn', kind)
    if (kind < 9) {
      for (let left = chance.oneIn(4) ? 8 : 1; left > 0; left -= 1)
        ask(({ sav }) => sav.cases.create(actor, { client_id: 1, description: 'La porte ne ferme plus.' }))
    } else if (kind < 12) receivers.setMood(`/r${chance.between(1, endpoints)}`, chance.pick(moods))
    else if (kind < 14 && process) {
      simulation.note(process.host.name, 'crashes')
      end(process)
      simulation.in(chance.below(20_000), () => processes.push(spawn()))
    } else if (kind < 17 && process && !process.host.paused) {
      const { host } = process
      host.pause()
      simulation.in(chance.below(40_000), () => host.resume())
    } else if (kind === 17 && process && !process.host.paused) {
      void process.stop().then(() => {
        if (!process.host.alive) return
        ledger.stopped(process.host, process.startedAt)
        end(process)
        processes.push(spawn())
      })
    } else if (kind === 18) {
      const step = chance.between(-60_000, 60_000)
      if (oneClock) machineOffset += step
      for (const { host } of processes) if (oneClock || host === process?.host) host.setClock(host.offset + step)
      simulation.clocksAgreeSince = oneClock ? simulation.now : Number.POSITIVE_INFINITY
    } else if (kind === 19) simulation.awayUntil = Math.max(awayUntil, simulation.now + chance.below(25_000))
    else if (kind === 20) ask(addEndpoint)
    else if (kind === 21) ask(({ sav }) => someEndpoint((id) => sav.webhooks.endpoints.disable(actor, id)))
    else if (kind < 24) ask(({ sav }) => someEndpoint((id) => sav.webhooks.endpoints.enable(actor, id)))
    else if (kind === 24) ask(({ sav }) => someEndpoint((id) => sav.webhooks.endpoints.remove(actor, id)))
    else if (kind === 25) {
      const url = `https://receiver.example/r${chance.between(1, endpoints)}`
      ask(({ sav }) => someEndpoint((id) => sav.webhooks.endpoints.update(actor, id, { url })))
    } else if (kind === 26) {
      const chevauchement_secondes = chance.pick([0, 1, 60, 86_400])
      ask(({ sav }) => someEndpoint((id) => sav.webhooks.endpoints.rotateSecret(actor, id, { chevauchement_secondes })))
    } else if (kind === 27) ask(({ sav }) => someEndpoint((id) => sav.webhooks.endpoints.test(actor, id)))
    else if (kind === 28) ask(({ sav }) => sav.webhooks.deliveries.retry(actor, someDelivery()))
    else ask(({ sav }) => sav.webhooks.replays.start(actor, { state: chance.pick(['failed', 'delivered', 'pending']) }))
  }

  function scheduleTurn(left: number): void {
    const delayMs = chance.pick([50, 50, 300, 300, 300, 5_000, 20_000, 7_200_000])
    const afterMs = chance.below(delayMs)
    nextTurnAt = simulation.now + afterMs
    simulation.in(afterMs, () => {
      turn()
      nextTurnAt = Number.POSITIVE_INFINITY
      if (left > 1) scheduleTurn(left - 1)
    })
  }

  /** Skips time in which nothing can happen, because the processes only poll. */
  function leap(): void {
    const to = Math.min(nextTurnAt, ledger.nextDue) - 200
    if (!Number.isFinite(to) || to < simulation.now + 1_000 || ledger.isBusy) return
    simulation.now = to
  }

  async function run(until: () => boolean): Promise<void> {
    while (!until() && ledger.violation === null) {
      if (simulation.steps > maxSteps) ledger.fail('not over after', maxSteps, 'steps')
      await simulation.step()
      leap()
    }
  }

  function calmDown(): void {
    simulation.calm = true
    simulation.awayUntil = 0
    for (const { host } of processes) {
      if (host.paused) host.resume()
      host.setClock(0)
    }
    machineOffset = 0
    simulation.clocksAgreeSince = simulation.now
    while (processes.length < 3) processes.push(spawn())
    for (let path = 1; path <= endpoints; path += 1)
      receivers.setMood(`/r${path}`, chance.pick(['well', 'well', 'failing']))
    const enableAll = async () => {
      for (const { id } of await storage.reads.endpoints.list(account_id))
        ask(({ sav }) => sav.webhooks.endpoints.enable(actor, id))
    }
    // Enabling is repeated: an earlier request to disable may still arrive, and one sent to a stopping process may be
    // lost.
    for (const delayMs of [0, 20_000, 40_000]) simulation.in(delayMs, () => void enableAll())
  }

  const { clock } = new Host('nobody', simulation)
  const founder = open(storage, clock, seededRandom(seed))
  await founder.accounts.add(actor, account_id)
  await founder.directory.clients.add(actor, { nom: 'Durand', prenom: 'Alice' })
  for (let count = 0; count < 3; count += 1) processes.push(spawn())
  for (let count = chance.between(1, 5); count > 0; count -= 1) ask(addEndpoint)
  scheduleTurn(turns)
  await run(() => nextTurnAt === Number.POSITIVE_INFINITY)
  calmDown()
  const isOver = () => [...ledger.rows.values()].every(({ state }) => state !== 'pending')
  const calmSince = simulation.now
  await run(() => (simulation.now > calmSince + 21_000 && isOver()) || simulation.now > calmSince + patienceMs)
  if (!isOver()) ledger.fail('a delivery has not ended in', patienceMs, 'ms of calm')
  if ((await storage.reads.replays.running()).length > 0) ledger.fail('a replay has not ended')
  await ledger.compare(new Host('nobody', simulation), 0)
  const { total } = await storage.reads.cases.list(account_id, {}, { page: 1, limite: 1 })
  if (total !== ledger.cases) ledger.fail(total, 'cases, but', ledger.cases, 'were committed')
  await storage.close()

  const { violation, reached, cases, rows } = ledger
  const { digest, steps, trace } = simulation
  return { violation, digest, steps, cases, deliveries: rows.size, reached, trace }
}
