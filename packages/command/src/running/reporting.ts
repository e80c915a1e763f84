import type { ReportSettings } from '@sav/core/adapter'
import type { Carrier, Timestamper } from '@sav/core/ports'
import { checkUrlOf } from '@sav/http-node/links'
import type { ClosableRenderer } from '@sav/reception-report/pdf'
import { closeInTurn } from '../process/closing.js'
import { CommandError } from '../process/command-error.js'
import type { Settings } from '../settings/settings.js'
import { authorityOf } from '../store/stamp-verifier.js'

/** The drawing and sending of reports in a process with a worker. */
export interface ReportRuntime {
  readonly reports: ReportSettings
  /** Closes all connections. Letters in progress fail. */
  close(): Promise<void>
}

/**
 * Opens the drawing and sending of reports. Only configured channels are loaded. The renderer takes 40 MB, and is
 * loaded with the first report.
 * @throws CommandError for a setting that its channel refuses
 */
export async function openReporting(settings: Settings): Promise<ReportRuntime> {
  const { timeZone, mail, whatsapp, publicUrl, tsaUrl, tsaCa } = settings
  const carriers: { email?: Carrier; whatsapp?: Carrier } = {}
  const closing: (() => unknown)[] = []
  let timestamper: Timestamper | null = null
  if (mail !== null) {
    const { createEmailCarrier } = await import('@sav/reception-report/email')
    const email = accepted('SAV_SMTP_URL, SAV_MAIL_FROM', () => createEmailCarrier({ ...mail, timeZone }))
    closing.push(() => email.close())
    carriers.email = email
  }
  if (whatsapp !== null) {
    const { createWhatsAppCarrier } = await import('@sav/reception-report/whatsapp')
    const { api, ...required } = whatsapp
    const options = { ...required, ...(api !== null && { api }) }
    const carrier = accepted('SAV_WHATSAPP_TEMPLATE…, SAV_WHATSAPP_API', () => createWhatsAppCarrier(options))
    closing.push(() => carrier.close())
    carriers.whatsapp = carrier
  }
  if (tsaUrl !== null) {
    const { createTimestamper } = await import('@sav/reception-report/timestamp')
    const trusted = await authorityOf(tsaCa)
    const authority = accepted('SAV_TSA_URL', () => createTimestamper({ url: tsaUrl, ...trusted }))
    closing.push(() => authority.close())
    timestamper = authority
  }
  let loading: Promise<ClosableRenderer> | undefined
  const load = async () => (await import('@sav/reception-report/pdf')).createReportRenderer({ timeZone })
  const renderer = () => {
    loading ??= load()
    return loading
  }
  closing.push(async () => (await loading)?.close())
  return {
    reports: {
      renderer: {
        render: async (content) => (await renderer()).render(content),
        thumbnail: async (file) => (await renderer()).thumbnail?.(file) ?? null,
      },
      carriers,
      checkUrl: checkUrlOf(publicUrl),
      timestamper,
    },
    close: () => closeInTurn(closing),
  }
}

function accepted<T>(names: string, create: () => T): T {
  try {
    return create()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new CommandError('invalid_setting', `${names}: ${error.message}`, { cause: error })
  }
}
