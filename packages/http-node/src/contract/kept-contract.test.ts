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
