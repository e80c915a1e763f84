import type { DeliveryView } from '@sav/core'
import { answeredCode, hintOfFailure } from '@sav/core/internal'

type Became = Pick<DeliveryView, 'state' | 'channel' | 'last_status'> & Partial<Pick<DeliveryView, 'last_error_code'>>

/** The likely cause of a failure, and what to do; null where nothing failed, or the error says enough. */
export function hintOf({ state, channel, last_status, last_error_code }: Became): string | null {
  if (state === 'delivered') return null
  // What failed before there were codes has its status.
  const answered = channel === 'webhook' && last_status !== null ? answeredCode(last_status) : null
  const code = last_error_code ?? answered
  return code === null ? null : hintOfFailure(code)
}
