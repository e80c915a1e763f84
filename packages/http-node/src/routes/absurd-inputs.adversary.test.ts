import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { routes } from '../../../../test/whole/routes.js'
import { exampleCall, writeRoutes } from '../../test/example-calls.js'
import { type Answer, inMemory, served } from '../../test/service.js'
import type { AnyKeyedRoute } from './declaration/route.js'

const MiB = 1024 * 1024
const isFull = process.env['SAV_TEST_CHAOS'] === '1'
// The full run sends thousands of texts of 8 MiB each.
if (isFull) vi.setConfig({ testTimeout: 600_000 })
const absurdLength = isFull ? 8 * MiB : MiB / 16
/** The length of each of thousands of names. */
const nameLength = isFull ? 1000 : 50
const mailMiB = isFull ? 8 : 1
const repeated = (text: string, length = absurdLength) => text.repeat(Math.ceil(length / text.length))

/** Texts on which an expression, a parser or a loop may take long, or run out of stack. */
const absurd: Readonly<Record<string, string>> = {
  letters: repeated('w'),
  digits: repeated('1'),
  blanks: repeated(' '),
  emoji: repeated('😀'),
  'an e-mail address': `${repeated('a')}@example.fr`,
  'the host of an e-mail address': `a@${repeated('a.')}fr`,
  'the type of a data URI': `data:image/${repeated('x')};base64,AAAA`,
  'half of the type of a data URI': `data:${repeated('x')}`,
  'a fraction of a second': `2026-01-15T08:00:00.${repeated('1')}Z`,
  'an address': `https://receiver.example/${repeated('a/')}`,
  'a host': `https://${repeated('a.')}example/`,
  CIDRs: repeated('10.0.0.0/'),
  'an IPv6 address': repeated('2001:'),
  'a line break at the end': `${repeated('w')}\n`,
}

/** The texts for a place: all of them in the full run; otherwise two, different from those of the next place. */
function absurdAt(place: number): [kind: string, text: string][] {
  return Object.entries(absurd).filter((_, index) => isFull || (index + place) % 7 === 0)
}

type Path = readonly (string | number)[]

/** Every place of a value in the schema of a body, also those that the example lacks. */
function* placesIn(schema: z.core.JSONSchema._JSONSchema, path: Path = []): Generator<Path> {
  if (typeof schema === 'boolean') return
  if (path.length > 0) yield path
  for (const each of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    for (const place of placesIn(each, path)) if (place.length > path.length) yield place
  for (const [name, property] of Object.entries(schema.properties ?? {})) yield* placesIn(property, [...path, name])
  if (typeof schema.items === 'object' && !Array.isArray(schema.items)) yield* placesIn(schema.items, [...path, 0])
  if (typeof schema.additionalProperties === 'object') yield* placesIn(schema.additionalProperties, [...path, 'X-Name'])
}

/** The body with this value at the place; what was there is replaced. */
function withValue(body: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  if (typeof step === 'number') return [withValue(undefined, rest, value)]
  const object = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
  return { ...object, [step]: withValue(Object(object)[step], rest, value) }
}

const walked = writeRoutes.flatMap((route) => {
  if (route.body === null) return []
  const schema = z.toJSONSchema(route.body.schema(), { io: 'input', unrepresentable: 'any' })
  return [{ route, places: [...placesIn(schema)] }]
})

/** Parameters that a read requires. */
const asked: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listSlots: { duree: '60' },
  getRounds: { date: '2026-03-16' },
}

const queried = routes.flatMap((route): [string, AnyKeyedRoute, string[]][] =>
  route.method === 'GET' && route.permission !== null && route.query !== null
    ? [[route.name, route, Object.keys(route.query().shape)]]
    : [],
)

describe('a read with an absurd value', async () => {
  const { service, door } = await served(inMemory.open)

  const ask = ({ name, path }: AnyKeyedRoute, more: Readonly<Record<string, string>>) =>
    door.call('GET', `${path}?${new URLSearchParams({ ...asked[name], ...more })}`, { headers: service.auth() })

  it('is tested for every operation with a query', () => {
    expect(queried.map(([name]) => name)).toEqual(expect.arrayContaining(['listSlots', 'getRounds', 'listCases']))
  })

  it.each(queried)('is refused for each parameter of %s', async (_, route, names) => {
    for (const [place, name] of names.entries())
      for (const [kind, text] of absurdAt(place)) {
        const answer = await ask(route, { [name]: text })
        expect(answer.status, `${kind} as ${name}: ${answer.text.slice(0, 300)}`).toBe(422)
        expect(answer.text.length, `${kind} as ${name}`).toBeLessThan(2000)
      }
    const answer = await ask(route, { [repeated('w')]: '1' })
    expect(answer.status).toBe(422)
    expect(answer.text.length).toBeLessThan(2000)
  })
})

describe('a write with an absurd value', async () => {
  const { service, door } = await served(inMemory.open)

  function send(route: (typeof writeRoutes)[number], change: (example: unknown) => unknown): Promise<Answer> {
    const { client_id, poseur_id } = service
    const { method, path, body = '{}' } = exampleCall(route, { client_id, poseur_id })
    if (typeof body !== 'string') throw new Error(`${path} takes no JSON`)
    return door.call(method, path, { headers: service.auth(), body: JSON.stringify(change(JSON.parse(body))) })
  }

  /** Expects a refusal that is short, since it does not repeat the value. */
  function expectRefused(answer: Answer, what: string): void {
    expect([413, 422], `${what}: ${answer.text.slice(0, 300)}`).toContain(answer.status)
    expectShort(answer, what)
  }

  function expectShort(answer: Answer, what: string): void {
    expect(answer.text.length, what).toBeLessThan(2000)
    for (const { field, message } of answer.json.details ?? []) {
      expect(field.length, what).toBeLessThanOrEqual(200)
      expect(message, what).not.toMatch(/([w1 xa]|😀)\1{200}|(a\.|a\/|2001:|10\.0\.0\.0\/){50}/u)
    }
  }

  it('is tested for every operation with a body', () => {
    expect(walked.length).toBeGreaterThan(10)
    for (const { places } of walked) expect(places.length).toBeGreaterThan(0)
    const names = walked.flatMap(({ route, places }) => places.map((place) => `${route.name} ${place.join('.')}`))
    expect(names).toContain('addClient email')
    expect(names).toContain('addEndpoint headers.X-Name')
    expect(names).toContain('createCase photos.0')
    expect(names).toContain('createKey ips.0')
  })

  describe.each(walked.map((each) => [each.route.name, each] as const))('%s', (_, { route, places }) => {
    it.each(places.map((place, index) => [place.join('.'), place, index] as const))(
      'is refused in its field %s',
      async (name, place, index) => {
        for (const [kind, text] of absurdAt(index)) {
          const answer = await send(route, (example) => withValue(example, place, text))
          // Blanks are trimmed to an empty text, which some fields accept.
          if (kind === 'blanks' && answer.status !== 422) expectShort(answer, `${kind} as ${name}`)
          else expectRefused(answer, `${kind} as ${name}`)
        }
      },
    )

    it('is refused with an absurd field name, and with thousands of unknown fields', async () => {
      const named = { [repeated('w')]: 1 }
      expectRefused(await send(route, (example) => ({ ...Object(example), ...named })), 'a name')
      const many = Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`${i}${'w'.repeat(nameLength)}`, 1]))
      const answer = await send(route, (example) => ({ ...Object(example), ...many }))
      expect(answer.status).toBe(422)
      expect(answer.text.length).toBeLessThan(64 * 1024)
    })

    it('is refused with thousands of items in a list', async () => {
      for (const [index, place] of places.filter((path) => path.includes(0)).entries()) {
        const list = place.slice(0, place.indexOf(0))
        const items = ['w', 'w'.repeat(nameLength), 1, null]
        for (const item of isFull ? items : items.slice(index % 4, (index % 4) + 1)) {
          const answer = await send(route, (example) => withValue(example, list, Array(4000).fill(item)))
          expect(answer.status, `${list.join('.')} of ${item}`).toBe(422)
          expect(answer.text.length).toBeLessThan(64 * 1024)
        }
      }
    })
  })

  it(`is refused with an e-mail address of ${mailMiB} MiB`, async () => {
    const route = writeRoutes.find(({ name }) => name === 'addClient')
    if (route === undefined) throw new Error('no such operation')
    for (const email of [`${repeated('a', mailMiB * MiB)}@example.fr`, `a@${repeated('a.', mailMiB * MiB)}fr`])
      expectRefused(await send(route, (example) => ({ ...Object(example), email })), 'an e-mail address')
  })
})
