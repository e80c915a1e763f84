import { companyName, type LetterOf, refuseOwnLimit } from '@sav/core/adapter'
import type { Carrier, Letter, SendResult } from '@sav/core/ports'
import { type Dispatcher, FormData } from 'undici'
import { fullName } from './french.js'
import { type Answer, GraphApi, hasNotLeft, wordsOn } from './graph-api.js'
import { oneLine, reportFileName } from './mail-text.js'
import { rdvMoment } from './rdv-text.js'
import { meaningOf } from './whatsapp-errors.js'

/** The sender's WhatsApp account, and its approved templates. */
export interface WhatsAppOptions {
  /** Access token of a system user with `whatsapp_business_messaging`. */
  readonly token: string
  /** The id of the sending number in the Graph API, not the number itself. */
  readonly phoneId: string
  /** The name of the approved template: `pv_reception`, or `pv_reception:en_GB` with a language. Default: `fr`. */
  readonly template: string
  /** The templates of letters about appointments, in the same form. Letters without a template are refused. */
  readonly rdvTemplates?: Readonly<Partial<Record<LetterOf<'rdv'>['about'], string>>>
  /** The base address of the Graph API, with its version. Default: `https://graph.facebook.com/v26.0`. */
  readonly api?: string
  /** The time limit of a whole attempt, including the upload, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number
  /** Opens the connections, such as undici's ProxyAgent. The caller closes it. Default: an own Agent. */
  readonly dispatcher?: Dispatcher
}

/** A carrier that sends letters through WhatsApp's Cloud API. `close` ends its connections. */
export interface WhatsAppCarrier extends Carrier {
  close(): Promise<void>
}

/**
 * Sends letters through the WhatsApp Business Cloud API, as template messages. A report is uploaded first, and becomes
 * the header of its message. The parameters of a letter about an appointment are the customer, the time, the company,
 * and the delay or the link to the page. Meta cannot recognise a repeated message. So `intend` is awaited before the
 * message is sent, and if the answer gets lost, the delivery has failed for good.
 * @throws RangeError for a malformed template or address
 */
export function createWhatsAppCarrier(options: WhatsAppOptions): WhatsAppCarrier {
  const { timeoutMs = 30_000 } = options
  const graph = new GraphApi(options, Math.min(5000, timeoutMs / 4))
  const reportTemplate = templateOf(options.template)
  const rdvTemplates = new Map(
    Object.entries(options.rdvTemplates ?? {}).map(([about, template]) => [about, templateOf(template)]),
  )

  async function upload(letter: LetterOf<'report'>): Promise<{ media: string } | Verdict> {
    const form = new FormData()
    form.set('messaging_product', 'whatsapp')
    form.set('type', 'application/pdf')
    form.set('file', new Blob([Buffer.from(letter.pdf)], { type: 'application/pdf' }), reportFileName(letter))
    try {
      // The upload leaves a third of the time for the message.
      const answer = await graph.post('media', form, AbortSignal.timeout(Math.floor((timeoutMs * 2) / 3)))
      if (answer.status < 200 || answer.status >= 300) return refusal(answer)
      return answer.id === null ? failure('WhatsApp returned no id for the uploaded report') : { media: answer.id }
    } catch (error) {
      refuseOwnLimit(error)
      return failure(`the report could not be uploaded to WhatsApp: ${wordsOn(error)}`)
    }
  }

  async function message({ id: letterId, to, template, header, texts, leftMs }: TemplateMessage): Promise<Verdict> {
    const body = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to,
      type: 'template',
      biz_opaque_callback_data: letterId,
      template: {
        name: template.name,
        language: { code: template.language },
        components: [
          ...(header === null ? [] : [{ type: 'header', parameters: [{ type: 'document', document: header }] }]),
          { type: 'body', parameters: texts.map((text) => ({ type: 'text', text: parameter(text) })) },
        ],
      },
    }
    try {
      const answer = await graph.post('messages', JSON.stringify(body), AbortSignal.timeout(Math.max(leftMs, 1)))
      const { status, id, code, text } = answer
      // A success, even if the body got lost. Only the id is kept, since the body has the customer's number.
      if (status >= 200 && status < 300)
        return { ok: true, status, error: null, unreachable: false, response: id ?? '' }
      // A proxy answered, since Meta would give a code. The outcome is unknown.
      if (status >= 500 && status !== 503 && code === null)
        return { ...unknown(`answered ${status}`), status, response: text }
      return refusal(answer)
    } catch (error) {
      refuseOwnLimit(error)
      if (hasNotLeft(error)) return failure(`the message did not reach WhatsApp: ${wordsOn(error)}`)
      return unknown(wordsOn(error))
    }
  }

  async function reportPosting(letter: LetterOf<'report'>): Promise<Content | Verdict> {
    const uploaded = await upload(letter)
    if (!('media' in uploaded)) return uploaded
    const header = { id: uploaded.media, filename: reportFileName(letter) }
    const texts = [fullName(letter.client), letter.reference, companyName(letter.societe)]
    return { template: reportTemplate, header, texts }
  }

  function rdvPosting(letter: LetterOf<'rdv'>): Content | Verdict {
    const { about, client, societe, retard_minutes, page_url } = letter
    const template = rdvTemplates.get(about)
    if (template === undefined)
      return {
        ...failure(`no WhatsApp template is set for letters of the kind ${about}`),
        unreachable: false,
        final: true,
      }
    const late = about === 'retard' ? [String(retard_minutes)] : []
    const link = about === 'retard' || page_url === null ? [] : [page_url]
    const told =
      about === 'annulation' && letter.before !== null ? { ...letter, ...letter.before, fin_prevue: null } : letter
    const texts = [fullName(client), rdvMoment(told), companyName(societe), ...late, ...link]
    return { template, header: null, texts }
  }

  async function send(letter: Letter, intend: () => Promise<void>, startedAt: number): Promise<Verdict> {
    if (letter.kind !== 'report' && letter.kind !== 'rdv')
      return { ...failure('letters of this kind go by e-mail'), unreachable: false, final: true }
    const posting = letter.kind === 'rdv' ? rdvPosting(letter) : await reportPosting(letter)
    if ('ok' in posting) return posting
    try {
      await intend()
    } catch (error) {
      return {
        ...failure(`not sent: ${error instanceof Error ? error.message : 'the attempt could not be recorded'}`),
        unreachable: false,
      }
    }
    const leftMs = Math.floor(timeoutMs - 50 - (performance.now() - startedAt))
    return message({ ...posting, id: letter.id, to: letter.to, leftMs })
  }

  return {
    timeoutMs,
    async carry(letter, intend) {
      const startedAt = performance.now()
      const verdict = await send(letter, intend, startedAt)
      return { ...verdict, responseHeaders: null, durationMs: Math.round(performance.now() - startedAt) }
    },
    close: () => graph.close(),
  }
}

type Verdict = Omit<SendResult, 'durationMs' | 'responseHeaders'>

interface Template {
  readonly name: string
  readonly language: string
}

/** The content of a message. */
interface Content {
  readonly template: Template
  /** The uploaded report; null for letters about appointments. */
  readonly header: { readonly id: string; readonly filename: string } | null
  /** The parameters of the body, in order. */
  readonly texts: readonly string[]
}

interface TemplateMessage extends Content {
  /** The id of the letter. */
  readonly id: string
  /** The customer's number in E.164 form. */
  readonly to: string
  readonly leftMs: number
}

function templateOf(text: string): Template {
  const [, name = '', language = 'fr'] = /^([a-z0-9_]+)(?::([a-zA-Z_]+))?$/.exec(text) ?? []
  if (name === '') throw new RangeError('a WhatsApp template must be named like pv_reception or pv_reception:fr')
  return { name, language }
}

const refusal = ({ status, code, text }: Answer): Verdict => ({
  ok: false,
  status,
  unreachable: false,
  response: text,
  ...meaningOf(status, code),
})

const failure = (error: string): Verdict => ({ ok: false, status: null, error, unreachable: true, response: null })

const unknown = (why: string): Verdict => ({
  ...failure(`unknown whether it arrived: ${why}. Ask the customer before you retry this delivery`),
  unreachable: !why.startsWith('answered'),
  final: true,
})

/** Meta requires one line, at most four consecutive spaces, and text that is not empty. */
const parameter = (text: string): string => oneLine(text).replace(/\s+/g, ' ') || '–'
