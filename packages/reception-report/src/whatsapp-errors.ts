import type { SendResult } from '@sav/core/ports'

/** What one of Meta's error codes means for a letter (Cloud API, "Error codes"). */
export type Meaning = Pick<SendResult, 'error' | 'final'>

const again = (error: string): Meaning => ({ error })
const never = (error: string): Meaning => ({ error, final: true })

const throttled = again('WhatsApp accepts no more messages at the moment')
const busy = again('WhatsApp is not available at the moment')
const token = again('WhatsApp refused our access token: renew it')
const permission = again('the WhatsApp access token lacks a permission: whatsapp_business_messaging is needed')
const account = again('the WhatsApp Business account is blocked or unpaid: see Meta Business Manager')
const request = never(
  'WhatsApp refused the request: check phone id, template and version of the API, then retry this delivery',
)
const template = never(
  'WhatsApp refused the template: it needs a document header and three body parameters (customer, reference, company), and approval. Then retry this delivery',
)
const noWhatsApp = never('the customer cannot be reached by WhatsApp: the report goes by e-mail')
const optedOut = never('the customer wants no messages from this account: the report goes by e-mail')
const held = never('WhatsApp chose not to deliver to this customer: the report goes by e-mail')

const meanings: ReadonlyMap<number, Meaning> = new Map([
  [0, token],
  [1, busy],
  [2, busy],
  [3, permission],
  [4, throttled],
  [10, permission],
  [33, request],
  [100, request],
  [190, token],
  [368, account],
  [80007, throttled],
  [130429, throttled],
  [130472, held],
  [130497, held],
  [131000, busy],
  [131005, permission],
  [131008, request],
  [131009, request],
  [131016, busy],
  [131021, never('the recipient is the number of the sender: correct it, then retry this delivery')],
  [131026, noWhatsApp],
  [131031, account],
  [131042, account],
  [131047, template],
  [131048, throttled],
  [131049, held],
  [131050, optedOut],
  [131051, request],
  [131052, busy],
  [131053, busy],
  [131056, throttled],
  [131057, busy],
  [132000, template],
  [132001, template],
  [132005, template],
  [132007, template],
  [132012, template],
  [132015, template],
  [132016, template],
  [133004, busy],
  [133010, never('our number is not registered with WhatsApp: register it, then retry this delivery')],
  [133016, throttled],
  [2494100, busy],
])

/** What an unsuccessful answer means. @param code Meta's error code; null if the answer has none */
export function meaningOf(status: number, code: number | null): Meaning {
  const known =
    code === null ? undefined : (meanings.get(code) ?? (code >= 200 && code <= 299 ? permission : undefined))
  const { error, final } =
    known ?? (status === 401 ? token : status === 429 ? throttled : status >= 500 ? busy : request)
  const seen = code === null ? `answered ${status}` : `code ${code}`
  return { error: `${error} (${seen})`, ...(final && { final }) }
}
