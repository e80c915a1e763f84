interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: { readonly enum?: readonly unknown[]; readonly maximum?: number }
  readonly example?: unknown
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
}

/** The part of the contract (`/openapi.json`) that is needed to call every operation. */
export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly body?: { readonly type: string; readonly text: string }
}

/** An operation, and plausible calls of it. */
export interface WalkedOperation {
  readonly name: string
  readonly calls: readonly Call[]
}

type Values = Readonly<Record<string, string | number>>

/**
 * The values of parameters and fields, by name. A path parameter can have its own value for one operation: `getCase
 * id`.
 */
export interface Walk {
  readonly values: Values
  /** Values of query parameters. Each value is used in one call. */
  readonly asked: Readonly<Record<string, readonly (string | number)[]>>
  /** The operation to call last, since its work continues after its answer. */
  readonly last: string
  /** For some operations, the only query parameters that vary. */
  readonly varied: Readonly<Record<string, readonly string[]>>
}

/**
 * Every operation of a contract with its calls, reads first and deletions last. A list is called with the largest page,
 * and then with each value of each parameter.
 */
export function everyCall({ paths }: Contract, walk: Walk): WalkedOperation[] {
  const order = ['get', 'post', 'put', 'patch', 'delete']
  const placeOf = ({ method, operation }: { readonly method: string; readonly operation: Operation }) =>
    operation.operationId === walk.last ? order.length : order.indexOf(method)
  const operations = Object.entries(paths)
    // Leaves out a path that also exists below `/api`: it is the same operation.
    .filter(([path]) => paths[`/api${path}`] === undefined)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
  return operations
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map(({ path, method, operation }) => ({
      name: operation.operationId,
      calls: callsOf(path, method, operation, walk),
    }))
}

function callsOf(path: string, method: string, operation: Operation, { values, asked, varied }: Walk): Call[] {
  const { operationId, parameters = [], requestBody } = operation
  const given = ({ name, example }: Parameter) => String(values[`${operationId} ${name}`] ?? values[name] ?? example)
  const found = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(given(parameters.find((each) => each.name === name) ?? { name, in: 'path' })),
  )
  const queries = parameters.filter((each) => each.in === 'query')
  const always = queries.flatMap((each) => {
    if (each.name === 'limite') return [[each.name, String(each.schema?.maximum ?? 200)]]
    return each.required ? [[each.name, given(each)]] : []
  })
  const varying = queries.filter(({ name }) => varied[operationId]?.includes(name) ?? true)
  const variants = varying.flatMap(({ name, schema }) =>
    (asked[`${operationId} ${name}`] ?? asked[name] ?? schema?.enum ?? []).map((value) => [name, String(value)]),
  )
  const body = bodyOf(requestBody, values)
  return [null, ...variants].map((one) => {
    const query = new URLSearchParams(
      [...always, ...(one === null ? [] : [one])].map(([name = '', value = '']) => [name, value]),
    )
    return { method: method.toUpperCase(), path: query.size === 0 ? found : `${found}?${query}`, ...(body && { body }) }
  })
}

function bodyOf(requestBody: Operation['requestBody'], values: Values): Call['body'] {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (type === undefined || content?.example === undefined) return undefined
  if (type !== 'application/json') return { type, text: new URLSearchParams(Object(content.example)).toString() }
  return { type, text: JSON.stringify(content.example, (name, value) => values[name] ?? value) }
}
