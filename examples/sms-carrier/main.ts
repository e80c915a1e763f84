// Sends letters by SMS as well as by e-mail. A channel needs a name in `letters` and a carrier of the same name.
import type { Carrier } from '@sav/core/ports'

/** Sends letters through a provider that takes `{ to, text }` and recognises repetitions by `idempotency-key`. */
export function smsCarrier(url: string): Carrier {
  const timeoutMs = 10_000
  const result = { error: null, unreachable: false, responseHeaders: null, response: null }
  return {
    timeoutMs,
    async carry(letter) {
      const startedAt = performance.now()
      const durationMs = () => Math.round(performance.now() - startedAt)
      if (letter.kind !== 'report')
        return { ...result, ok: false, status: null, error: 'is sent only by e-mail', durationMs: 0, final: true }
      const body = JSON.stringify({ to: letter.to, text: `${letter.reference} est clos.` })
      const headers = { 'content-type': 'application/json', 'idempotency-key': letter.id }
      try {
        const signal = AbortSignal.timeout(timeoutMs)
        const { ok, status } = await fetch(url, { method: 'POST', headers, body, signal })
        return { ...result, ok, status, error: ok ? null : `the provider answered ${status}`, durationMs: durationMs() }
      } catch (error) {
        return { ...result, ok: false, status: null, error: String(error), unreachable: true, durationMs: durationMs() }
      }
    },
  }
}
