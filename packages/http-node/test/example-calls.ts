import type { WholeSav } from '../../../test/whole/opening.js'
import { routes } from '../../../test/whole/routes.js'
import { pathParam } from '../src/http/path-params.js'
import type { WriteRoute } from '../src/routes/declaration/route.js'
import { as } from './composed.js'
import type { Answer } from './service.js'

/** Every operation that changes something. */
export const writeRoutes: readonly WriteRoute[] = routes.filter(
  (route): route is Extract<(typeof routes)[number], WriteRoute> => route.permission !== null && route.method !== 'GET',
)

export interface ExampleCall {
  readonly method: string
  readonly path: string
  /** The body as JSON, or a file; undefined if the operation takes none. */
  readonly body: string | Uint8Array | undefined
}

type Ids = Readonly<Record<string, string | number>>

/**
 * The call that an operation declares as its example.
 * @param ids existing ids, by parameter or field name, which replace those of the example
 */
export function exampleCall({ method, path, body, file }: WriteRoute, ids: Ids = {}): ExampleCall {
  if (file) return { method, path: path.replace('{sha256}', file.example.sha256), body: file.example.content }
  const said = (name: string, value: unknown) => (name === 'email' ? newAddress() : (ids[name] ?? value))
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name] ?? pathParam(name).example)),
    body: body === null ? undefined : JSON.stringify(body.example, said),
  }
}

let addresses = 0
/** An address that no other person has. */
function newAddress(): string {
  addresses += 1
  return `claire${addresses}@cuisines-petit.example`
}

/** Makes calls of the API, with every permission. */
type Caller = (call: ExampleCall) => Promise<Answer>

export const isSuccess = ({ status }: Pick<Answer, 'status'>): boolean => status >= 200 && status < 300

const isCreation = ({ method, path }: WriteRoute) => method === 'POST' && !path.includes('{')

/** The ids for the operation's first parameter: all those in its list. One empty entry if the operation needs none. */
async function candidates({ path, file }: WriteRoute, call: Caller, ids: Ids): Promise<Ids[]> {
  if (file) return [{}]
  const [list = '', name] = path.split(/\/\{(\w+)\}/)
  if (name === undefined || ids[name] !== undefined) return [{}]
  const above = await call({ method: 'GET', path: list, body: undefined })
  // A sub-resource such as `…/planning/poseurs/{id}/…` has its list elsewhere: `/api/v1/poseurs`.
  const elsewhere = `/api/v1/${list.split('/').at(-1)}`
  const { json } = isSuccess(above) ? above : await call({ method: 'GET', path: elsewhere, body: undefined })
  return json.data.map(({ id }: { id: string | number }) => ({ [name]: id }))
}

/**
 * Calls of an operation, until one can succeed. The first calls are on existing things, the next on new things of every
 * kind. Then one other operation after another is done once, since it may be the precondition, and the calls are made
 * again.
 * @param ids the ids that bodies refer to
 */
export async function* callsOf(route: WriteRoute, call: Caller, ids: Ids): AsyncGenerator<ExampleCall> {
  async function* every(each: WriteRoute) {
    for (const own of await candidates(each, call, ids)) yield exampleCall(each, { ...ids, ...own })
  }
  yield* every(route)
  for (const first of [null, ...writeRoutes.filter((other) => other !== route)]) {
    for (const creation of writeRoutes.filter(isCreation)) await call(exampleCall(creation, ids))
    if (first !== null) for await (const made of every(first)) if (isSuccess(await call(made))) break
    yield* every(route)
  }
}

/** The version with which rounds of a day without visits, applied here, can be undone. */
export async function appliedRounds({ planning }: WholeSav): Promise<string> {
  const day = { date: '2026-03-22' }
  const { version } = await planning.optimise(as('default'), { ...day, mode: 'apercu' })
  return (await planning.optimise(as('default'), { ...day, mode: 'appliquer', version })).version
}

/** A movable appointment, beside an `absent` one that is a follow-up. */
export async function oneRdv(
  { planning }: WholeSav,
  { client_id, poseur_id }: { readonly client_id: number; readonly poseur_id: number },
): Promise<number> {
  const actor = as('default')
  const book = (debut: string) => planning.book(actor, { client_id, poseur_id, debut, duree_minutes: 60 })
  await planning.change(actor, (await book('2026-04-20T08:00:00Z')).id, { statut: 'absent' })
  return (await book('2026-04-21T08:00:00Z')).id
}

/**
 * A closed case whose unsent report can be sent now, since its client agreed to WhatsApp.
 * Needs WhatsApp to be the only channel.
 */
export async function unsentReport({ directory, cases }: WholeSav): Promise<number> {
  const actor = as('default')
  const client = await directory.clients.add(actor, { nom: 'Zanetti', prenom: 'Rose', telephone: '06 12 34 56 78' })
  const { id } = await cases.create(actor, { client_id: client.id, description: 'Le tiroir reste bloqué.' })
  await cases.close(actor, id, { resolution: 'Glissières remplacées.' })
  await directory.clients.update(actor, client.id, { whatsapp: true })
  return id
}
