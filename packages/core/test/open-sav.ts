import type { Actor } from '../src/cases/case.js'
import type { HttpSender, SendResult } from '../src/ports.js'
import { createSav, type SavDeps, type WebhookSettings } from '../src/sav.js'
import { fixedClock, httpAnswer, memoryStorage, seededRandom } from '../src/testing/index.js'

type Request = Parameters<HttpSender['post']>[0]

/** A sender that calls nobody: it keeps what it was to post, and answers as it is told. */
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

export interface OpenSavOptions extends Partial<Pick<SavDeps, 'storage' | 'clock' | 'timeZone' | 'reports'>> {
  readonly webhooks?: Partial<WebhookSettings>
}

type Process = Omit<OpenSavOptions, 'storage' | 'clock'> &
  Required<Pick<OpenSavOptions, 'storage' | 'clock'>> & { readonly seed: number }

const hours = 3_600_000
/** Offsets of the six attempts after the event. */
export const schedule = [0, 30_000, 120_000, 600_000, 1 * hours, 6 * hours]

/** One process over a store; no two of them draw the same random numbers. */
export function openProcess({ storage, clock, seed, timeZone = 'Europe/Paris', ...options }: Process) {
  const { http, posted } = recordingHttp()
  const sav = createSav({
    storage,
    clock,
    random: seededRandom(seed),
    secretKey: new Uint8Array(32).fill(7),
    timeZone,
    ...(options.reports && { reports: options.reports }),
    webhooks: {
      http,
      receivers: { allowLocal: false },
      schedule,
      timeoutMs: 5_000,
      concurrency: { total: 256, perTarget: 16 },
      channels: {},
      observe: () => {},
      ...options.webhooks,
    },
  })
  return { sav, posted }
}

/** A whole service in memory: one account with one client, one active poseur, and nobody subscribed yet. */
export async function openSav(options: OpenSavOptions = {}) {
  const clock = fixedClock()
  const storage = options.storage ?? memoryStorage()
  const { sav, posted } = openProcess({ clock, ...options, storage, seed: 1 })
  const owner = await addAccount('default')

  async function addAccount(account_id: string) {
    await sav.accounts.add(account_id)
    const client = await sav.directory.clients.add(account_id, { nom: 'Durand', prenom: 'Alice' })
    const poseur = await sav.directory.poseurs.add(account_id, { nom: 'Bruno Petit' })
    const actor: Actor = { account_id, type: 'cle', id: 'key_1', nom: 'caisse' }
    return { account_id, client, poseur, actor }
  }

  return { sav, storage, clock, posted, addAccount, ...owner }
}
