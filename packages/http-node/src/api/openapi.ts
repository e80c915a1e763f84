import type { EventDeclarations, PermissionDeclarations } from '@sav/core/feature'
import { kindsWith, permissionsOf } from '@sav/core/names'
import * as z from 'zod'
import { schemaWriter } from '../contract/schema-writer.js'
import { webhookBodies, webhookHeaders } from '../contract/webhook-events.js'
import { sessionCookie } from '../http/cookies.js'
import { type FailureKind, failureExample, failureSchema, failures } from '../http/failures.js'
import { paramNamesIn, pathParam } from '../http/path-params.js'
import { type Answers, everyAnswer, isEndless } from '../routes/declaration/answers.js'
import type { AnyKeyedRoute, AnyRoute } from '../routes/declaration/route.js'
import { version } from '../version.js'
import { spellingsOf } from './router.js'

type JsonObject = Readonly<Record<string, unknown>>

/** The refusals of an operation: its own, and those that follow from its input and the authentication. */
export function failuresOf(
  route: AnyRoute,
  { requireTimestamp = true, takesKeys = true }: Pick<ContractOptions, 'requireTimestamp' | 'takesKeys'> = {},
): FailureKind[] {
  const own = [...(route.failures ?? []), ...(hasRanges(route) ? (['range_not_satisfiable'] as const) : [])]
  if (route.permission === null && route.form === null) return [...own, 'internal']
  if (route.permission === null)
    return [...own, 'incomplete_body', 'request_timeout', 'payload_too_large', 'unsupported_media_type', 'internal']
  const isWrite = route.method !== 'GET'
  return [
    takesKeys ? 'unauthorized' : 'not_signed_in',
    ...(isWrite && requireTimestamp ? (['replay_suspected'] as const) : []),
    'too_many_requests',
    'cross_site',
    'permission_denied',
    ...(isWrite
      ? ([
          'malformed_json',
          'incomplete_body',
          'request_timeout',
          'payload_too_large',
          'unsupported_media_type',
        ] as const)
      : []),
    'validation_failed',
    ...own,
    ...(route.method === 'POST' ? (['idempotency_in_progress', 'answer_erased'] as const) : []),
    'internal',
    'unavailable',
  ]
}

const hasRanges = ({ answers }: AnyRoute) => answers.headers.includes('Accept-Ranges')

const text = { type: 'string' } as const

const answerHeaders = {
  'X-Request-Id': { description: "The call's id: the caller's own, or a new one.", schema: text },
  ETag: { description: 'The tag of this version, for `If-None-Match` and `If-Match`.', schema: text },
  Location: { description: 'The address of what was created.', schema: text },
  'Accept-Ranges': { description: '`bytes`: a part can be requested with `Range`.', schema: text },
  'Content-Range': { description: 'Which bytes the answer contains, and the length of the whole file.', schema: text },
  'Idempotency-Replayed': { description: '`true` if an earlier request with this key got this answer.', schema: text },
  'RateLimit-Policy': { description: "The key's quota: `q` calls in `w` seconds.", schema: text },
  RateLimit: { description: 'The remaining quota: `r` calls. It is full again in `t` seconds.', schema: text },
  'X-Key-Expires-At': { description: 'When the key expires. Sent only in the last 30 days before that.', schema: text },
  'Content-Disposition': { description: 'A name for the file.', schema: text },
  Range: { description: 'The bytes received so far.', schema: text },
  'Retry-After': { description: 'Seconds to wait before another try.', schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': { description: '`Bearer`', schema: text },
  'X-Sav-Device': { description: '`ended`: signed out by the office. The phone must erase its data.', schema: text },
} as const

const headers = (...names: (keyof typeof answerHeaders)[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const commonHeaders = ({ permission }: AnyRoute) =>
  permission === null
    ? headers('X-Request-Id')
    : headers('X-Request-Id', 'RateLimit-Policy', 'RateLimit', 'X-Key-Expires-At')

function failureHeaders(status: number): JsonObject {
  if (status === 401) return headers('WWW-Authenticate', 'X-Sav-Device')
  if (status === 416) return headers('Content-Range')
  return [409, 429, 503].includes(status) ? headers('Retry-After') : {}
}

const requestHeaders = {
  'X-Request-Timestamp': {
    name: 'X-Request-Timestamp',
    in: 'header',
    required: true,
    description: "Unix time in seconds, within 5 minutes of the server's clock.",
    schema: { type: 'string', pattern: '^\\d{1,15}$' },
  },
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'An id for the call, which the answer and the logs repeat: at most 128 of the characters A-Z, a-z, 0-9, `.`, ' +
      '`_` and `-`. Any other text is replaced by a new id.',
    schema: text,
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Identifies the request. Repeated with the same key and body within 24 hours, it takes effect only once, and ' +
      'gets the same answer. Another body with the same key gets 422; a repetition while the first request is ' +
      'running, 409. Only 2xx answers are kept.',
    schema: { type: 'string', pattern: '^[ -~]{1,255}$' },
  },
  Range: { name: 'Range', in: 'header', description: 'One range of bytes.', schema: text },
  'If-Range': { name: 'If-Range', in: 'header', description: 'The `ETag` of the parts received so far.', schema: text },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'Tags of earlier answers. The answer is 304 if one of them is still current.',
    schema: text,
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'The tag of the version to change. The answer is 412 if that version is no longer current.',
    schema: text,
  },
} as const

function requestHeadersOf(route: AnyRoute): (keyof typeof requestHeaders)[] {
  if (route.method === 'GET')
    return ['X-Request-Id', 'If-None-Match', ...(hasRanges(route) ? (['Range', 'If-Range'] as const) : [])]
  if (route.permission === null) return ['X-Request-Id']
  return [
    'X-Request-Id',
    'X-Request-Timestamp',
    ...(route.method === 'POST' ? (['Idempotency-Key'] as const) : []),
    ...(route.permission !== null && route.conditional ? (['If-Match'] as const) : []),
  ]
}

const problem = {
  description: 'Problem details (RFC 9457), together with the fields of the refusal.',
  type: 'object',
  properties: { type: text, title: text, status: { type: 'integer', description: 'HTTP status.' }, detail: text },
  required: ['type', 'title', 'status', 'detail'],
} as const

/** The security schemes, by name. */
const ownSchemes = {
  key: { type: 'http', scheme: 'bearer', description: 'A key: `sav_live_…`.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description: 'The session of a person, for pages of this service, which send `X-Sav-Console: 1` with every write.',
  },
} as const

export interface ContractOptions {
  /** The prefix of every address. */
  readonly base?: string
  /** Default: our own schemes. With an empty object, the contract does not describe authentication. */
  readonly securitySchemes?: Readonly<Record<string, object>>
  readonly requireTimestamp?: boolean
  /** Whether callers use keys. Default: true. */
  readonly takesKeys?: boolean
  /** Operations that replace others: see FeatureRoutes. */
  readonly alternatives?: readonly AnyKeyedRoute[]
  /** The kinds of events of features. */
  readonly events?: EventDeclarations
  /** Every permission of the service; those of the core by default. */
  readonly permissions?: PermissionDeclarations
}

/** OpenAPI 3.1, generated from the schemas and declarations in use. */
export function openApiOf(
  routes: readonly AnyRoute[],
  {
    base = '',
    securitySchemes = ownSchemes,
    requireTimestamp = true,
    takesKeys = true,
    events = {},
    permissions = permissionsOf([]),
    alternatives = [],
  }: ContractOptions = {},
) {
  const components: Record<string, unknown> = {}
  const ways = Object.keys(securitySchemes)
  const schemaOf = schemaWriter(components, { events: kindsWith(Object.keys(events)), permissions })

  // Each refusal is described once for all answers that have it. Otherwise the event loop is blocked for 0.7 s.
  const written: Partial<Record<FailureKind, JsonObject>> = {}

  const failureContent = (kinds: readonly FailureKind[]): JsonObject => {
    const schemas = kinds.map((kind) => (written[kind] ??= schemaOf(failureSchema(kind), 'output')))
    return {
      'application/json': {
        schema: oneOf(schemas),
        examples: Object.fromEntries(kinds.map((kind) => [kind, { value: failureExample(kind) }])),
      },
      'application/problem+json': { schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, oneOf(schemas)] } },
    }
  }

  const contentOf = ({ schema, mediaTypes, example }: Answers<never, unknown>): JsonObject =>
    schema === null
      ? Object.fromEntries(mediaTypes.map((type) => [type, {}]))
      : { 'application/json': { schema: schemaOf(schema(), 'output'), example: example?.() } }

  const successOf = (route: AnyRoute, answers: Answers<never, unknown>): JsonObject => ({
    description: answers.description,
    headers: {
      ...commonHeaders(route),
      ...headers(...(answers.status === 200 && !isEndless(answers) ? (['ETag'] as const) : []), ...answers.headers),
      ...(route.method === 'POST' && route.permission !== null && headers('Idempotency-Replayed')),
    },
    content: contentOf(answers),
  })

  const responsesOf = (route: AnyRoute): JsonObject => {
    const { answers } = route
    const successes = everyAnswer(answers)
    const kinds = failuresOf(route, { requireTimestamp, takesKeys })
    const byStatus = Map.groupBy(kinds, (kind) => failures[kind].status)
    return {
      ...Object.fromEntries(successes.map((each) => [each.status, successOf(route, each)])),
      ...(hasRanges(route) && {
        206: {
          description: 'The part that `Range` asks for.',
          headers: { ...commonHeaders(route), ...headers('ETag', 'Content-Range', ...answers.headers) },
          content: contentOf(answers),
        },
      }),
      ...(route.method === 'GET' &&
        !isEndless(answers) && {
          304: { description: 'Not modified.', headers: headers('X-Request-Id', 'ETag') },
        }),
      ...Object.fromEntries(
        [...byStatus].map(([status, kinds]) => [
          status,
          {
            description: kinds.map((kind) => failures[kind].error).join(' · '),
            headers: { ...commonHeaders(route), ...(takesKeys || status !== 401 ? failureHeaders(status) : {}) },
            content: failureContent(kinds),
          },
        ]),
      ),
    }
  }

  const queryParameters = ({ query }: AnyKeyedRoute): JsonObject[] => {
    if (query === null) return []
    return Object.entries(query().shape).map(([name, schema]) => ({
      name,
      in: 'query',
      required: !z.safeParse(schema, undefined).success,
      schema: schemaOf(schema, 'input'),
    }))
  }

  const neededText = (route: AnyKeyedRoute): string => {
    const allOf = (needed: AnyKeyedRoute['permission']) =>
      [needed]
        .flat()
        .map((each) => `\`${each}\``)
        .join(' and ')
    const others = alternatives.filter(({ method, path }) => method === route.method && path === route.path)
    const also = route.alsoTerrain && 'terrain' in permissions ? ['terrain'] : []
    return `Needs ${[...[route, ...others].map(({ permission }) => permission), ...also].map(allOf).join(' or ')}.`
  }

  const operationOf = (route: AnyRoute): JsonObject => {
    const { name, summary, description, path, permission } = route
    const described = {
      operationId: name,
      summary,
      description: [description, route.permission && neededText(route)].filter(Boolean).join(' ') || undefined,
      tags: [tagOf(path)],
      responses: responsesOf(route),
    }
    const pathParameters = paramNamesIn(path).map((param) => {
      const { schema, example } = pathParam(param)
      return { name: param, in: 'path', required: true, schema: schemaOf(schema(), 'output'), example }
    })
    const parameters = [
      ...pathParameters,
      ...requestHeadersOf(route)
        .filter((header) => requireTimestamp || header !== 'X-Request-Timestamp')
        .map((header) => ({ $ref: `#/components/parameters/${header}` })),
    ]
    if (permission === null)
      return {
        ...described,
        security: [],
        parameters,
        ...(route.form !== null && {
          requestBody: {
            required: true,
            content: { 'application/x-www-form-urlencoded': { schema: schemaOf(route.form(), 'input') } },
          },
        }),
      }
    return {
      ...described,
      parameters: [...parameters, ...queryParameters(route)],
      ...(route.body !== null && {
        requestBody: {
          required: !route.body.isOptional,
          content: {
            'application/json': { schema: schemaOf(route.body.schema(), 'input'), example: route.body.example },
          },
        },
      }),
      ...(route.file && {
        requestBody: { required: true, content: Object.fromEntries(route.file.mediaTypes.map((type) => [type, {}])) },
      }),
    }
  }

  const pathItemOf = (path: string, its: readonly AnyRoute[], spelling: string): [string, JsonObject] => [
    spelling,
    Object.fromEntries(
      its.map((route) => {
        const operation = operationOf(route)
        const { operationId } = operation
        // Operation ids are unique, so the second path of an operation gets an id of its own.
        return [
          route.method.toLowerCase(),
          spelling === path ? operation : { ...operation, operationId: `${operationId}UnderApi` },
        ]
      }),
    ),
  ]
  const paths = Object.fromEntries(
    [...Map.groupBy(routes, (route) => route.path)].flatMap(([path, its]) =>
      spellingsOf(path).map((spelling) => pathItemOf(path, its, spelling)),
    ),
  )
  const webhooks = Object.fromEntries(
    webhookBodies(events).map(({ kind, summary, schema, example }) => [
      kind,
      {
        post: {
          operationId: `on_${kind.replace('.', '_')}`,
          summary,
          tags: ['events'],
          security: [],
          parameters: Object.entries(webhookHeaders).map(([name, { description, schema: its }]) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: schemaOf(its(), 'output'),
          })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(schema(), 'output'), example: example() } },
          },
          responses: {
            '2XX': { description: 'Accepted. Any other answer, or none within 5 seconds, leads to a retry.' },
          },
        },
      },
    ]),
  )

  return {
    openapi: '3.1.1',
    info: {
      title: 'SAV',
      version,
      summary: 'After-sales cases, their evidence, and signed webhooks',
      description:
        'Every path that has GET also answers HEAD. Every path answers OPTIONS. Other methods get 405 with `Allow`. ' +
        'Invalid HTTP may get 400, 408 or 431. ' +
        'Refusals are problem details (RFC 9457) if `Accept` names `application/problem+json`. ' +
        'New fields, values and paths may appear at any time: ignore what you do not know.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: base === '' ? '/' : base }],
    ...(ways.length > 0 && { security: ways.map((name) => ({ [name]: [] })) }),
    tags: [...new Set(routes.map(({ path }) => tagOf(path))), 'events'].map((name) => ({ name })),
    paths,
    webhooks,
    components: {
      securitySchemes,
      parameters: requestHeaders,
      headers: answerHeaders,
      schemas: { Problem: problem, ...components },
    },
  }
}

/** The tag of an operation: `sav`, `webhooks`; outside `/api/v1`, `service`. */
function tagOf(path: string): string {
  const [, api, version, tag] = path.split('/')
  if (api === 'v1' && version !== undefined) return version
  return api === 'api' && tag !== undefined ? tag : 'service'
}

const oneOf = (schemas: readonly JsonObject[]): JsonObject =>
  schemas.length === 1 && schemas[0] ? schemas[0] : { oneOf: schemas }
