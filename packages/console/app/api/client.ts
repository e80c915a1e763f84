import { signal } from '@preact/signals'
import { createClient, type Operations, SavApiError } from '@sav/client'
import { apiBase } from './base.js'
import { filledForm } from './filled-form.js'
import { inTurn } from './own-changes.js'
import { send } from './upload.js'

/** Milliseconds by which the server's clock is ahead of this machine's, from its last answer (to the second). */
let aheadMs = 0

/** The server's time, in milliseconds since the Unix epoch: writes contain it, and ages are counted from it. */
export const serverNow = (): number => Date.now() + aheadMs

const digestOf = async (text: string): Promise<string> =>
  btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))))

/**
 * Sends every POST with an `Idempotency-Key`, which stays the same until the whole answer has arrived, even if the user
 * sends the form again or reloads the page. So the service repeats its answer instead of creating the same thing twice.
 * A form keeps its key, even after an answer, until the user types something else.
 */
async function once(url: string, init: RequestInit): Promise<Response> {
  if (init.method !== 'POST') return fetch(url, init)
  const headers = new Headers(init.headers)
  const form = filledForm()
  const sent = `${url}\n${init.body}`
  const name = `unanswered:${await digestOf(sent)}`
  const own = form === null ? headers.get('Idempotency-Key') : await digestOf(`${form}\n${sent}`)
  const key = sessionStorage.getItem(name) ?? own ?? crypto.randomUUID()
  sessionStorage.setItem(name, key)
  headers.set('Idempotency-Key', key)
  const response = await send(url, { ...init, headers })
  // The key is needed until the whole answer has arrived.
  await response.clone().arrayBuffer()
  if (response.status < 500 && !response.headers.has('retry-after')) sessionStorage.removeItem(name)
  return response
}

function changing(url: string, init: RequestInit, tag: string): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('If-Match', tag)
  return once(url, { ...init, headers })
}

/** Counts the calls refused because there is no session. */
export const refusedSessions = signal(0)

/** The API, called with the session of this browser. */
export const sav = createClient({
  baseUrl: location.origin + apiBase,
  // Long enough to send photos over a slow line.
  timeoutMs: 120_000,
  clock: { now: serverNow },
  attempts: 3,
  async fetch(url, init) {
    const seen = new Headers(init.headers).get('If-Match')
    const response = await (seen === null ? once(url, init) : inTurn(url, seen, (tag) => changing(url, init, tag)))
    const date = Date.parse(response.headers.get('date') ?? '')
    const offMs = date + 500 - Date.now()
    // A slow answer can be off by a second or two, which is no reason to change the clock.
    if (Number.isFinite(offMs) && Math.abs(offMs - aheadMs) > 3000) aheadMs = offMs
    if (response.status === 401) refusedSessions.value += 1
    return response
  },
})

type Get = Operations['GET']
type Data<P extends keyof Get> = Get[P] extends { answer: { data: infer T } } ? T : never
type Item<P extends keyof Get> = Data<P> extends (infer T)[] ? T : never

export type CaseSummary = Item<'/api/v1/sav'>
export type CaseDetail = Data<'/api/v1/sav/{id}'>
export type CaseFilter = Get['/api/v1/sav']['query']
export type SavedView = Item<'/api/v1/session/vues'>
export type FollowUp = Item<'/api/v1/a-traiter'>
export type SearchResult = Data<'/api/v1/recherche'>
export type HistoryRow = CaseDetail['historique'][number]
export type Proof = Data<'/api/v1/sav/{id}/preuve'>
export type Client = Item<'/api/v1/clients'>
export type Poseur = Item<'/api/v1/poseurs'>
export type Statistics = Data<'/api/v1/statistiques'>
export type Rdv = Item<'/v1/planning'>
export type SlotQuery = Get['/v1/planning/creneaux']['query']
export type Slot = Item<'/v1/planning/creneaux'>
export type RdvChange = Operations['PATCH']['/v1/planning/{id}']['body']
export type OptimisedRounds = Operations['POST']['/v1/planning/tournees/optimiser']['answer']['data']
export type Note = OptimisedRounds['avertissements'][number]
export type Hours = Data<'/v1/planning/poseurs/{id}/horaires'>
export type Absence = Data<'/v1/planning/poseurs/{id}/absences'>['absences'][number]
export type Account = Data<'/api/v1/compte'>
export type EndpointInput = Operations['POST']['/api/v1/webhooks']['body']
export type Endpoint = Data<'/api/v1/webhooks/{endpoint}'>
export type ListedEndpoint = Item<'/api/v1/webhooks'>
export type ReceiverHealth = ListedEndpoint['sante']
export type EventKind = Endpoint['events'][number]
export type Delivery = Item<'/api/v1/webhooks/livraisons'>
export type DeliveryFilter = Get['/api/v1/webhooks/livraisons']['query']
export type DeliveryDetail = Data<'/api/v1/webhooks/livraisons/{delivery}'>
export type Replay = Item<'/api/v1/webhooks/livraisons/rejouer'>
export type Invitation = Operations['POST']['/api/v1/utilisateurs/{user}/inviter']['answer']['data']
export type Key = Item<'/api/v1/cles'>
export type Permission = Key['permissions'][number]
export type User = Item<'/api/v1/utilisateurs'>
export type WhoCalls = Data<'/api/v1/session'>
export type AuditFilter = Get['/api/v1/audit']['query']
export type AuditedCall = Item<'/api/v1/audit'>

/** The API's refusal, if that is what the error is; null for any other error. */
export const refusalOf = (error: unknown): SavApiError | null => (error instanceof SavApiError ? error : null)

/** Whether a call got no final answer, so that it may be sent again unchanged. */
export function isUnanswered(error: unknown): boolean {
  const status = refusalOf(error)?.status ?? 0
  return status === 0 || status === 429 || status >= 500
}
