import { memoryStorage } from '../../../test/memory-storage.js'
import type { SendResult } from '../src/delivery/channel.js'
import type { Carrier } from '../src/letters/carrier.js'
import type { Letter } from '../src/letters/letter.js'
import type { ReportContent, ReportRenderer } from '../src/reports/report.js'
import type { Storage } from '../src/storage.js'
import { fixedClock, httpAnswer } from '../src/testing/index.js'
import { as, openSav } from './open-sav.js'

export const png = `data:image/png;base64,${Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cf500f0003860180b47c6a7b0000000049454e44ae426082',
  'hex',
).toString('base64')}`
export const closing = { resolution: 'Charnière remplacée, porte réglée.' }

/** A renderer that keeps the contents of its reports. */
export function writing() {
  const drawn: ReportContent[] = []
  const renderer: ReportRenderer = {
    async render(content) {
      drawn.push(content)
      return new TextEncoder().encode(`%PDF ${content.reference} ${content.preuve.sequence}`)
    },
  }
  return { renderer, drawn }
}

/** A carrier that keeps its letters and gives these answers. */
export function carrying(answer: (letter: Letter, intend: () => Promise<void>) => SendResult | Promise<SendResult>) {
  const letters: Letter[] = []
  const carrier: Carrier = {
    timeoutMs: 30_000,
    async carry(letter, intend) {
      letters.push(letter)
      return answer(letter, intend)
    },
  }
  return { carrier, letters }
}

export interface House {
  readonly email?: ReturnType<typeof carrying>
  readonly whatsapp?: ReturnType<typeof carrying>
  readonly storage?: Storage
}

/** Settings that send every report by e-mail. */
export const byEmail = () => ({
  renderer: writing().renderer,
  carriers: { email: accepting().carrier },
  checkUrl: () => null,
  timestamper: null,
})

export const accepting = () => carrying(() => httpAnswer(250))

/** A service with its worker, and a case of a customer whom both channels reach. */
export async function house({ email, whatsapp, storage: over }: House = {}) {
  const storage = over ?? (await memoryStorage())
  const clock = fixedClock()
  const { renderer, drawn } = writing()
  const carriers = { ...(email && { email: email.carrier }), ...(whatsapp && { whatsapp: whatsapp.carrier }) }
  const reports = {
    renderer,
    carriers,
    checkUrl: (hash: string, own: string | null) => `${own ?? 'https://sav.example'}/verifier/${hash}`,
    timestamper: null,
  }
  const opened = await openSav({ clock, storage, reports })
  const { sav, worker, actor, account_id } = opened
  const endpoint = await sav.webhooks.endpoints.add(as(account_id), {
    url: 'https://receiver.example/',
    events: ['sav.report_sent', 'sav.report_failed'],
  })
  const client = await sav.directory.clients.add(as(account_id), {
    nom: 'Martin',
    prenom: 'Zoé',
    email: 'zoe@martin.example',
    telephone: '06 12 34 56 78',
    adresse: '12 quai des Brumes, Lyon',
    whatsapp: true,
  })
  const { id } = await sav.cases.create(actor, { client_id: client.id, description: 'La porte ne ferme plus.' })
  const history = async () => (await sav.webhooks.deliveries.list(account_id, {})).items
  const events = async () =>
    (await history()).filter(({ endpoint_id }) => endpoint_id === endpoint.id).map(({ event }) => event)
  const pv = async () => (await sav.cases.get(account_id, id)).pv
  async function work(ms = 2_000) {
    worker.start()
    await clock.advance(ms)
  }
  return { ...opened, clock, storage, drawn, client, id, history, events, pv, work }
}
