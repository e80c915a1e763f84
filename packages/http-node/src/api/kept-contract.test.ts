import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { events, declaredPermissions as permissions } from '../../../../test/whole/permissions.js'
import { routes } from '../../../../test/whole/routes.js'
import { openApiOf } from './openapi.js'

type Json = Readonly<Record<string, unknown>>
const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Replaces a `oneOf` of equal alternatives by one of them: no value can match exactly one of several equal schemas. */
function withoutTwins(_: string, value: unknown): unknown {
  const alternatives = isRecord(value) && Array.isArray(value['oneOf']) ? value['oneOf'] : []
  return new Set(alternatives.map((each) => JSON.stringify(each))).size === 1 ? alternatives[0] : value
}

const kept: unknown = JSON.parse(
  gunzipSync(readFileSync(new URL('openapi.kept.json.gz', import.meta.url))).toString('utf8'),
  withoutTwins,
)
const contract: unknown = JSON.parse(JSON.stringify(openApiOf(routes, { events, permissions })))

/** Whether `at` is in the input of a caller, of which no more may be required, and whose bounds may only widen. */
const isAsked = (at: string) => at.includes('/requestBody/') || at.includes('/parameters/')
const lowerBounds = new Set(['minLength', 'minimum', 'minItems', 'minProperties'])
const upperBounds = new Set(['maxLength', 'maximum', 'maxItems'])
/** Members that only people read: no program depends on them. */
const prose = new Set(['description', 'summary', 'example', 'examples'])
/** Lists whose order has no meaning. */
const sets = new Set(['enum', 'required', 'type', 'tags', 'security'])

/** The places where `now` breaks a promise of `before`. Anything may be added, except required input. */
function* broken(before: unknown, now: unknown, at = ''): Generator<string> {
  const key = at.slice(at.lastIndexOf('/') + 1)
  if (prose.has(key)) return
  if (Array.isArray(before) && Array.isArray(now) && sets.has(key)) {
    const missing = before.filter((each) => !now.some((other) => JSON.stringify(other) === JSON.stringify(each)))
    if (missing.length > 0 && !(key === 'required' && isAsked(at))) yield at
    if (key === 'required' && isAsked(at) && now.some((each) => !before.includes(each))) yield at
    return
  }
  if (key === 'parameters' && Array.isArray(before) && Array.isArray(now)) {
    yield* broken(byName(before), byName(now), `${at}/`)
    for (const [name, parameter] of Object.entries(byName(now)))
      if (!(name in byName(before)) && isRecord(parameter) && parameter['required'] === true) yield `${at}/${name}`
    return
  }
  if (isRecord(before) && isRecord(now)) {
    for (const member of Object.keys(before)) yield* broken(before[member], now[member], `${at}/${member}`)
    return
  }
  if (before === now) return
  if (isAsked(at) && (now === undefined || (typeof before === 'number' && typeof now === 'number'))) {
    if (lowerBounds.has(key) && Number(now ?? 0) < Number(before)) return
    if (upperBounds.has(key) && Number(now ?? Number.POSITIVE_INFINITY) > Number(before)) return
  }
  yield at
}

const byName = (parameters: readonly Json[]): Json =>
  Object.fromEntries(parameters.map((parameter) => [String(parameter['name'] ?? parameter['$ref']), parameter]))

it('nothing in the kept contract has been removed or narrowed', () => {
  // Each release changes the version.
  expect([...broken(kept, contract)]).toEqual(['/info/version'])
})

it('a removal, a new requirement or a narrower bound is detected', () => {
  const body = { type: 'object', required: ['nom'], properties: { nom: { type: 'string', minLength: 1 } } }
  const asked = (schema: unknown) => ({ post: { requestBody: { schema } } })
  const of = (now: unknown) => [...broken(asked(body), asked(now))]
  const { nom } = body.properties
  expect(of({ ...body, properties: { nom, age: { type: 'integer' } } })).toEqual([])
  expect(of({ ...body, required: [] })).toEqual([])
  expect(of({ ...body, properties: { nom: { ...nom, minLength: 0 } } })).toEqual([])
  expect(of({ ...body, required: ['nom', 'age'] })).toEqual(['/post/requestBody/schema/required'])
  expect(of({ ...body, properties: {} })).toEqual(['/post/requestBody/schema/properties/nom'])
  expect(of({ ...body, properties: { nom: { ...nom, minLength: 2 } } })).toEqual([
    '/post/requestBody/schema/properties/nom/minLength',
  ])
  const told = { statut: { enum: ['ouvert', 'clos'] } }
  expect([...broken(told, { statut: { enum: ['clos', 'ouvert', 'perdu'] } })]).toEqual([])
  expect([...broken(told, { statut: { enum: ['clos'] } })]).toEqual(['/statut/enum'])
  const parameters = [{ name: 'page', required: false }]
  expect([...broken({ parameters }, { parameters: [{ name: 'du', required: true }, ...parameters] })]).toEqual([
    '/parameters/du',
  ])
})

interface Numeric {
  readonly at: string
  readonly description: string
}

/** Each number of the contract: a member of an object, or a parameter. */
function* numbers(within: unknown, at = ''): Generator<Numeric> {
  if (!isRecord(within)) return
  for (const [key, value] of Object.entries(within)) {
    if (key === 'example' || key === 'examples') continue
    if (key === 'properties' && isRecord(value))
      for (const [name, schema] of Object.entries(value)) yield* numberOf(schema, schema, `${at}/${name}`)
    if (key === 'parameters' && Array.isArray(value))
      for (const parameter of value) yield* numberOf(parameter.schema, parameter, `${at}?${parameter.name}`)
    yield* numbers(value, `${at}/${key}`)
  }
}

/** @param member the member or parameter of this schema, which may have the description that the schema lacks */
function* numberOf(schema: unknown, member: unknown, at: string): Generator<Numeric> {
  if (!isRecord(schema)) return
  const said = [schema, member].map((each) => (isRecord(each) ? each['description'] : undefined))
  const description = said.find((each) => typeof each === 'string') ?? ''
  if ([schema['type']].flat().some((type) => type === 'integer' || type === 'number')) yield { at, description }
  const inner = [schema['anyOf'], schema['oneOf'], schema['items']].flat()
  for (const each of inner) yield* numberOf(each, isRecord(each) && 'description' in each ? each : { description }, at)
}

/** Matches a description that names a unit, or what a number without a unit counts or identifies. */
const saysWhat =
  /\b([Mm]inutes|seconds|milliseconds|[Kk]ilometres|share|id of what|bytes|Degrees|[Nn]umber of|[Hh]ow many|A second|Counts|Place|[Pp]osition|days|Grows|Page|HTTP status|Status of the answer)\b/
/** Names that already say what the number means. */
const nameSays = /[/?_](id|minutes(_avant|_apres)?|en_attente|dues|en_cours|livrees_24h)$/

it('every number of the contract says what it counts, and in which unit', () => {
  const found = [...numbers(contract)]
  expect(found.length).toBeGreaterThan(100)
  const unsaid = found.filter(
    ({ at, description }) => description === '' || !(saysWhat.test(description) || nameSays.test(at)),
  )
  expect([...new Set(unsaid.map(({ at }) => at))]).toEqual([])
})
