import * as z from 'zod'
import { usageError } from '../process/command-error.js'
import { counted } from '../terminal/terminal.js'

/** A receiver as the API of another webhook sender lists it, with its secret. */
export interface OtherEndpoint {
  readonly sender: 'svix' | 'convoy'
  readonly id: string
  readonly url: string
  readonly description: string | null
  /** The kinds of events that it gets, by the other sender's names; null if the file does not limit them. */
  readonly kinds: readonly string[] | null
  readonly headers: Readonly<Record<string, string>>
  /** An authentication that custom headers cannot express; null if there is none. */
  readonly authentication: string | null
  readonly isDisabled: boolean
  /** The signing secret; null if the file has none. */
  readonly secret: string | null
}

const secretShape = z.object({
  value: z.string(),
  expires_at: z.string().nullish(),
  deleted_at: z.string().nullish(),
})

const svixShape = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string().nullish(),
  filterTypes: z.array(z.string()).nullish(),
  disabled: z.boolean().nullish(),
  secret: z.string().nullish(),
  key: z.string().nullish(),
})

const convoyShape = z.object({
  uid: z.string(),
  url: z.string(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  status: z.string().nullish(),
  secrets: z.array(secretShape),
  authentication: z
    .object({
      type: z.string(),
      api_key: z.object({ header_name: z.string(), header_value: z.string() }).nullish(),
    })
    .nullish(),
})

const list = z.array(z.record(z.string(), z.unknown()))
/** A file is an array, a page of Svix's API, or a page of Convoy's. */
const fileShape = z.union([
  list,
  z.object({ data: list }).transform(({ data }) => data),
  z.object({ data: z.object({ content: list }) }).transform(({ data }) => data.content),
])

/**
 * The endpoints of a file, in order.
 * @throws CommandError that names each field in which it differs from both APIs
 */
export function otherEndpoints(file: string, content: unknown): OtherEndpoint[] {
  const found = fileShape.safeParse(content)
  if (!found.success)
    throw usageError(
      `${file}: it must be a JSON array of endpoints, or { "data": [ … ] }, as Svix or Convoy list them.`,
    )
  const problems: string[] = []
  const endpoints = found.data.map((each, place) => {
    const parsed = (Array.isArray(each['secrets']) ? convoyEndpoint : svixEndpoint).safeParse(each)
    for (const { path, message } of parsed.error?.issues ?? [])
      problems.push(`${file}: endpoint ${place + 1}: ${path.join('.')}: ${message}`)
    return parsed.data
  })
  if (problems.length > 0)
    throw usageError([...problems, `${counted(problems.length, 'problem')}: nothing was added.`].join('\n'))
  return endpoints.filter((endpoint) => endpoint !== undefined)
}

const svixEndpoint = svixShape.transform(
  ({ id, url, description, filterTypes, disabled, secret, key }): OtherEndpoint => ({
    sender: 'svix',
    ...{ id, url },
    description: description || null,
    kinds: filterTypes ?? null,
    headers: {},
    authentication: null,
    isDisabled: disabled ?? false,
    secret: secret ?? key ?? null,
  }),
)

const convoyEndpoint = convoyShape.transform(
  ({ uid, url, name, description, status, secrets, authentication }): OtherEndpoint => ({
    sender: 'convoy',
    ...{ id: uid, url },
    description: description || name || null,
    // Convoy lists the kinds in its subscriptions, not beside the endpoint.
    kinds: null,
    ...authenticatedBy(authentication ?? null),
    isDisabled: (status ?? 'active') !== 'active',
    // A rotation sets `expires_at` on the previous secret.
    secret: secrets.findLast(({ expires_at, deleted_at }) => !expires_at && !deleted_at)?.value ?? null,
  }),
)

function authenticatedBy(
  authentication: (z.output<typeof convoyShape>['authentication'] & {}) | null,
): Pick<OtherEndpoint, 'headers' | 'authentication'> {
  if (authentication === null || authentication.type === '') return { headers: {}, authentication: null }
  const { type, api_key } = authentication
  if (type !== 'api_key' || !api_key) return { headers: {}, authentication: type }
  return { headers: { [api_key.header_name]: api_key.header_value }, authentication: null }
}
