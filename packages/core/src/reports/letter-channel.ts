import * as z from 'zod'
import type { Carrier, Channel, ClaimedDelivery, Clock, SendResult, Storage } from '../ports.js'
import { toInstant } from '../time.js'
import type { Drawing } from './drawing.js'
import type { Company, Letter, Notice, ReportRecord } from './report.js'
import { checkUrlOf, closeOf, companyOf } from './report-content.js'

/** The ways on which letters go to people. */
export const letterChannels = ['email', 'whatsapp'] as const
export type LetterChannel = (typeof letterChannels)[number]

export interface LetterChannelDeps {
  readonly name: LetterChannel
  readonly carrier: Carrier
  readonly storage: Storage
  readonly clock: Clock
  readonly drawing: Pick<Drawing, 'pdfOf'>
  readonly publicUrl: string | null
}

const noticeBody = z.object({
  data: z.discriminatedUnion('type', [
    z.object({ type: z.literal('endpoint_disabled'), url: z.string(), reason: z.string(), date: z.string() }),
    z.object({ type: z.literal('key_expires'), nom: z.string(), date: z.string() }),
  ]),
})

/** Why a letter is not sent at all. */
class NoLetter extends Error {}

/**
 * Writes a letter at the time of sending and hands it to its carrier. To whom it goes is looked up then: an address that
 * was wrong can be put right and the letter sent again, and none is kept beside the directory's.
 */
export function letterChannel({ name, carrier, storage, clock, drawing, publicUrl }: LetterChannelDeps): Channel {
  async function letterOf(delivery: ClaimedDelivery): Promise<Letter> {
    const report = await storage.reports.ofEvent(delivery.account_id, delivery.event_id)
    return report === null ? noticeOf(delivery) : reportOf(delivery, report)
  }

  async function reportOf({ id, account_id }: ClaimedDelivery, report: ReportRecord): Promise<Letter> {
    const { case_id, reference } = report
    if (report.erased_at !== null) throw new NoLetter('the customer was erased')
    const close = await closeOf(storage, report)
    if (close === null) throw new NoLetter(`the snapshot of case ${case_id} is not there`)
    const { entry, snapshot } = close
    const to = await addressOf(account_id, snapshot.client.id)
    const pdf = await drawing.pdfOf(report)
    if (pdf === null) throw new NoLetter(`the report of case ${case_id} is not there`)
    const { nom, prenom } = snapshot.client
    return {
      kind: 'report',
      id,
      to,
      societe: companyOf(snapshot),
      client: { nom, prenom },
      reference,
      date_cloture: snapshot.date_cloture,
      signed: snapshot.signature_client !== undefined,
      hash_sha256: entry.hash_dossier,
      check_url: checkUrlOf(publicUrl, entry.hash_dossier),
      pdf: pdf.content,
    }
  }

  async function addressOf(account_id: string, client_id: number): Promise<string> {
    const client = await storage.directory.findClient(account_id, client_id)
    if (name === 'email') {
      if (client?.email) return client.email
      throw new NoLetter(`no e-mail address on file for client ${client_id}: add it, then retry this delivery`)
    }
    if (client === null || client.whatsapp_depuis === null)
      throw new NoLetter(`client ${client_id} has not agreed to WhatsApp: the e-mail carries the report`)
    if (client.telephone === null)
      throw new NoLetter(`no telephone number on file for client ${client_id}: add it, then retry this delivery`)
    return client.telephone
  }

  async function noticeOf({ id, account_id, body }: ClaimedDelivery): Promise<Letter> {
    const account = await storage.accounts.find(account_id)
    if (!account?.email)
      throw new NoLetter('no e-mail address on file for the account: add it, then retry this delivery')
    const notice: Notice = noticeBody.parse(JSON.parse(body)).data
    const { raison_sociale, adresse, siret, email, assureur, mediateur } = account
    const societe: Company = { account: account_id, raison_sociale, adresse, siret, email, assureur, mediateur }
    return { kind: 'notice', id, to: account.email, societe, notice }
  }

  return {
    timeoutMs: carrier.timeoutMs,
    async send(delivery, { startedAt }) {
      if (delivery.intended_at !== null) return refusal(interrupted(delivery.intended_at))
      try {
        const letter = await letterOf(delivery)
        return await carrier.carry(letter, async () => {
          if (!(await storage.queue.intend(delivery, toInstant(clock.now()))))
            throw new Error('another process has taken this delivery over')
        })
      } catch (error) {
        if (error instanceof NoLetter) return { ...refusal(error.message), durationMs: clock.now() - startedAt }
        throw error
      }
    },
  }
}

const interrupted = (since: string) =>
  `unknown whether it arrived: the process that was sending it ended after ${since}. Ask the customer before you retry.`

function refusal(error: string): SendResult {
  return {
    ok: false,
    status: null,
    error,
    unreachable: false,
    durationMs: 0,
    responseHeaders: null,
    response: null,
    final: true,
  }
}
