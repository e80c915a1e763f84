import type { CoreEventKind, shapes } from '@sav/core/adapter'
import { coreEventKinds as ofTheCore, permissionsOf } from '@sav/core/names'
import { eventKinds, type KnownEvent, sign, type TestEvent } from '@sav/webhook-verify'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { events, declaredPermissions as permissions } from '../../../../test/whole/permissions.js'
import { alternatives, routes } from '../../../../test/whole/routes.js'
import { doors, served } from '../../test/service.js'
import { type eventData, webhookBodies, webhookHeaders } from '../contract/webhook-events.js'
import { failureExample, failureSchema } from '../http/failures.js'
import { routes as coreRoutes } from '../routes/all.js'
import { failuresOf, openApiOf } from './openapi.js'
import { spellingsOf } from './router.js'

// Parsed from JSON, as a reader of the document gets it.
const contract = JSON.parse(JSON.stringify(openApiOf(routes, { alternatives, events, permissions })))

const failureKinds = new Set(routes.flatMap((route) => failuresOf(route)))

/** The values of all members of this name, at any depth of the document. */
function* everything(name: string, within: unknown = contract): Generator<unknown> {
  if (typeof within !== 'object' || within === null) return
  for (const [key, value] of Object.entries(within)) {
    if (key === name) yield value
    yield* everything(name, value)
  }
}

describe('the contract', () => {
  it('is valid OpenAPI 3.1 for an independent validator', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(contract))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  it('has no dangling reference', () => {
    const refs = [...everything('$ref')]
    expect(refs.length).toBeGreaterThan(100)
    for (const ref of refs) {
      const found = String(ref)
        .slice(2)
        .split('/')
        .reduce((at, name) => at?.[name], contract)
      expect(found, String(ref)).toBeDefined()
    }
  })

  it('has every route, each with its own operationId', () => {
    const names = new Set([...everything('operationId', contract.paths)])
    const spelled = routes.flatMap(({ method, path }) => spellingsOf(path).map((spelling) => ({ method, spelling })))
    expect(names.size).toBe(spelled.length)
    for (const { method, spelling } of spelled) expect(contract.paths[spelling][method.toLowerCase()]).toBeDefined()
  })

  it('has a valid example of every body, and of every JSON answer', async () => {
    for (const route of routes) {
      const operation = contract.paths[route.path][route.method.toLowerCase()]
      if (route.permission !== null && route.body !== null) {
        expect((await route.body.schema().safeParseAsync(route.body.example)).error, route.name).toBeUndefined()
        expect(operation.requestBody.content['application/json'].example).toEqual(route.body.example)
      }
      for (const answers of [route.answers, route.answers.alternative]) {
        if (!answers?.schema) continue
        expect(answers.schema().safeParse(answers.example?.()).error, route.name).toBeUndefined()
        expect(operation.responses[answers.status].content['application/json'].example).toEqual(answers.example?.())
      }
    }
  })

  it('has an example of every refusal', () => {
    for (const kind of failureKinds)
      expect(failureSchema(kind).safeParse(failureExample(kind)).error, kind).toBeUndefined()
  })

  it.each(routes.filter((route) => route.permission !== null).map((route) => [route.method, route.path] as const))(
    '%s %s states the permission that it needs, and its refusals',
    (method, path) => {
      const operation = contract.paths[path][method.toLowerCase()]
      expect(operation.security).toBeUndefined()
      expect(operation.description).toMatch(/Needs `\w+(:\w+)?`/)
      for (const status of ['401', '403', '422', '500', '503']) expect(operation.responses).toHaveProperty(status)
      const timestamp = { $ref: '#/components/parameters/X-Request-Timestamp' }
      if (method === 'GET') expect(operation.parameters).not.toContainEqual(timestamp)
      else expect(operation.parameters).toContainEqual(timestamp)
    },
  )

  it('lists no alternative twice, since oneOf would then match nothing', () => {
    const alternatives = [...everything('oneOf', contract.paths)].map((each) =>
      [each].flat().map((s) => JSON.stringify(s)),
    )
    expect(alternatives.length).toBeGreaterThan(100)
    for (const each of alternatives) expect(each).toEqual([...new Set(each)])
  })

  it('has the bounds and choices of inputs, and forbids other fields', () => {
    const { schema } = contract.paths['/api/v1/sav'].post.requestBody.content['application/json']
    expect(schema).toMatchObject({
      required: ['client_id', 'description'],
      additionalProperties: false,
      properties: {
        description: { minLength: 10, maxLength: 2000 },
        priorite: { enum: ['basse', 'normale', 'haute', 'urgente'], default: 'normale' },
        photos: { maxItems: 10 },
      },
    })
    const limite = contract.paths['/api/v1/sav'].get.parameters.find(({ name }: { name?: string }) => name === 'limite')
    expect(limite).toMatchObject({ in: 'query', required: false, schema: { minimum: 1, maximum: 200, default: 50 } })
  })

  it('names the permissions and kinds of events of composed features, and of no others', () => {
    const ofCore = JSON.parse(JSON.stringify(openApiOf(coreRoutes)))
    for (const [{ components, paths, webhooks }, declared, kinds, needed] of [
      [contract, permissions, eventKinds, 'Needs `sav:read` or `terrain`.'],
      [ofCore, permissionsOf([]), ofTheCore, 'Needs `sav:read`.'],
    ] as const) {
      const names = Object.keys(declared)
      const { items } = components.schemas.Key.properties.permissions
      const allows = Object.fromEntries(
        Object.entries<{ allows: string }>(declared).map(([name, { allows }]) => [name, allows]),
      )
      expect(items).toMatchObject({ enum: names, 'x-enumDescriptions': allows })
      expect(components.schemas.WhoCalls.properties.permissions.items.enum).toEqual(names)
      const { schema } = paths['/api/v1/cles'].post.requestBody.content['application/json']
      expect(schema.properties.permissions.items.enum).toEqual(names)
      expect(paths['/api/v1/session'].get.description).toBe(needed)
      const bodyOf = (path: string) => paths[path].post.requestBody.content['application/json'].schema.properties
      expect(components.schemas.Endpoint.properties.events.items.enum).toEqual(kinds)
      expect(bodyOf('/api/v1/webhooks').events.items.enum).toEqual(kinds)
      expect(bodyOf('/api/v1/webhooks/{endpoint}/tester').event.enum).toEqual(kinds)
      expect(Object.keys(webhooks)).toEqual([...kinds, 'webhook.test'])
    }
    expect([...everything('x-of-features')]).toEqual([])
  })

  it('allows additional fields in answers', () => {
    expect(contract.components.schemas.CaseDetail).not.toHaveProperty('additionalProperties')
  })
})

describe('the webhooks of the contract', () => {
  it('include every kind of event, and the test event', () => {
    expect(Object.keys(contract.webhooks)).toEqual([...eventKinds, 'webhook.test'])
  })

  it('have the headers of a real delivery', async () => {
    const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
    const signed = await sign({ id: 'evt_1', timestamp: 1_768_473_000, body: '{}', secret })
    const sent = new Map(Object.entries({ ...signed, 'X-Webhook-Event': 'sav.created' }))
    for (const [name, { schema }] of Object.entries(webhookHeaders))
      expect(schema().safeParse(sent.get(name)).error, name).toBeUndefined()
    expect([...sent.keys()].sort()).toEqual(Object.keys(webhookHeaders).sort())
  })

  it('have bodies of the types that webhook-verify exports', () => {
    type Kind = CoreEventKind | 'webhook.test'
    type SchemaData = { [K in Kind]: shapes.DeepReadonly<shapes.Output<(typeof eventData)[K]>> }
    type ReceivedData = { [K in Kind]: shapes.DeepReadonly<Extract<KnownEvent | TestEvent, { event: K }>['data']> }
    expectTypeOf<SchemaData>().toEqualTypeOf<ReceivedData>()
    for (const { schema, example, kind } of webhookBodies(events)) {
      expect(schema().safeParse(example()).error, kind).toBeUndefined()
      if (kind === 'webhook.test') continue
      const { changements } = Object(example().data)
      expect(changements.length > 0, kind).toBe(!kind.endsWith('.created'))
    }
  })
})

describe.each(doors)('through $name', async ({ open }) => {
  const { door } = await served(open)

  it('the contract is public', async () => {
    const answer = await door.call('GET', '/openapi.json')
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual(contract)
  })

  it('the page of the contract loads nothing from elsewhere', async () => {
    const page = await door.call('GET', '/docs')
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    const policy = page.headers['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/)
    const sources = [...page.text.matchAll(/(?:src|data-url)="([^"]*)"/g)].map(([, url = '']) => url)
    const seen = sources
      .map((source = '') => new URL(source, 'http://api.test/docs'))
      .map((url) => url.pathname + url.search)
    expect(page.text.match(/href="[^"]*/g)).toEqual(['href="data:,'])
    expect(seen).toEqual(['/openapi.json', expect.stringMatching(/^\/docs\/reference\.js\?v=[0-9a-f]{16}$/)])

    const script = await door.call('GET', seen[1] ?? '')
    expect(script.status).toBe(200)
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(script.bytes.length).toBeGreaterThan(1_000_000)
  })
})
