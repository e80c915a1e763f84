import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { routes } from '../routes/all.js'
import { openApiOf } from './openapi.js'

const kept: unknown = JSON.parse(
  gunzipSync(readFileSync(new URL('openapi.kept.json.gz', import.meta.url))).toString('utf8'),
)
const contract: unknown = JSON.parse(JSON.stringify(openApiOf(routes)))

/** What may be there that was not: nobody who reads the contract is told anything else by it. */
const gains = new Set(['code', 'description'])

/** Where `now` says something else than `before`. */
function* changes(before: unknown, now: unknown, at = ''): Generator<string> {
  if (!isRecord(before) || !isRecord(now)) {
    if (before !== now) yield at
    return
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)]))
    if (key in before || !gains.has(key)) yield* changes(before[key], now[key], `${at}/${key}`)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

it('the contract says what it said, and gains codes and descriptions alone', () => {
  expect([...changes(kept, contract)]).toEqual([])
})

it('a field that goes, comes, or is described otherwise would be seen', () => {
  const { nom, ...others } = { nom: { type: 'string', description: 'A name.' }, age: { type: 'integer' } }
  const before = { ...others, nom }
  expect([...changes(before, others)]).toEqual(['/nom'])
  expect([...changes(others, before)]).toEqual(['/nom'])
  expect([...changes(before, { ...before, nom: { type: 'string' } })]).toEqual(['/nom/description'])
  expect([...changes(before, { ...before, age: { ...before.age, description: 'In years.' } })]).toEqual([])
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

/** @param member what may say of it what the schema itself does not */
function* numberOf(schema: unknown, member: unknown, at: string): Generator<Numeric> {
  if (!isRecord(schema)) return
  const said = [schema, member].map((each) => (isRecord(each) ? each['description'] : undefined))
  const description = said.find((each) => typeof each === 'string') ?? ''
  if ([schema['type']].flat().some((type) => type === 'integer' || type === 'number')) yield { at, description }
  const inner = [schema['anyOf'], schema['oneOf'], schema['items']].flat()
  for (const each of inner) yield* numberOf(each, isRecord(each) && 'description' in each ? each : { description }, at)
}

/** A unit; or what it is where it has none: the number of something, a count, a coordinate, a place in an order, a status. */
const saysWhat =
  /\b(minutes|seconds|milliseconds|kilometres|bytes|Degrees|[Nn]umber of|[Hh]ow many|A second|Counts|Place|Grows|Page|HTTP status)\b/
/** So does a name, or one of these counts. */
const nameSays = /[/?_](id|minutes(_avant|_apres)?|en_attente|dues|en_cours|livrees_24h)$/

it('every number of the contract says what it counts, and in which unit', () => {
  const found = [...numbers(contract)]
  expect(found.length).toBeGreaterThan(100)
  const unsaid = found.filter(
    ({ at, description }) => description === '' || !(saysWhat.test(description) || nameSays.test(at)),
  )
  expect([...new Set(unsaid.map(({ at }) => at))]).toEqual([])
})
