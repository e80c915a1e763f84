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
  /** As JSON, or as a file; undefined if the operation takes none. */
  readonly body: string | Uint8Array | undefined
}

type Ids = Readonly<Record<string, string | number>>

/**
 * The call of an operation as its own declaration shows it.
 * @param ids of what is there, by the names that they have in the path and in the body, instead of the contract's examples
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
/** Of two people none has the address of the other. */
function newAddress(): string {
  addresses += 1
  return `claire${addresses}@cuisines-petit.example`
}

/** Makes calls of the API, with every permission. */
type Caller = (call: ExampleCall) => Promise<Answer>

export const isSuccess = ({ status }: Pick<Answer, 'status'>): boolean => status >= 200 && status < 300

const isCreation = ({ method, path }: WriteRoute) => method === 'POST' && !path.includes('{')

/** What an operation may be about: each thing that the list above its first parameter shows, or the one that needs none. */
async function candidates({ path, file }: WriteRoute, call: Caller, ids: Ids): Promise<Ids[]> {
  if (file) return [{}]
  const [list = '', name] = path.split(/\/\{(\w+)\}/)
  if (name === undefined || ids[name] !== undefined) return [{}]
  const above = await call({ method: 'GET', path: list, body: undefined })
  // What belongs to another resource is listed with that: `…/planning/poseurs/{id}/…`.
  const elsewhere = `/api/v1/${list.split('/').at(-1)}`
  const { json } = isSuccess(above) ? above : await call({ method: 'GET', path: elsewhere, body: undefined })
  return json.data.map(({ id }: { id: string | number }) => ({ [name]: id }))
}

/**
 * The calls of an operation that may succeed, whatever it needs to be there: on what there is first, then with new ones of
 * everything; then again after each other operation has succeeded once, one after the other, since one of them may be what makes it possible.
 * @param ids of what bodies refer to
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

/** What takes applied rounds back: of a day without visits. */
export async function appliedRounds({ planning }: WholeSav): Promise<string> {
  const day = { date: '2026-03-22' }
  const { version } = await planning.optimise(as('default'), { ...day, mode: 'apercu' })
  return (await planning.optimise(as('default'), { ...day, mode: 'appliquer', version })).version
}

/** An appointment that can be moved; beside it, one that somebody must look at, as its customer was absent. */
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
 * A closed case whose report went to nobody, and could go now: its client has agreed to WhatsApp since.
 * Needs that channel set up, and no other.
 */
export async function unsentReport({ directory, cases }: WholeSav): Promise<number> {
  const actor = as('default')
  const client = await directory.clients.add(actor, { nom: 'Zanetti', prenom: 'Rose', telephone: '06 12 34 56 78' })
  const { id } = await cases.create(actor, { client_id: client.id, description: 'Le tiroir reste bloqué.' })
  await cases.close(actor, id, { resolution: 'Glissières remplacées.' })
  await directory.clients.update(actor, client.id, { whatsapp: true })
  return id
}
