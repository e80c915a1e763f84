import { ofFeatures } from '@sav/core/feature'
import { coreEventKinds } from '@sav/core/names'
import * as z from 'zod'
import { events, permissions } from '../../../../test/whole/permissions.js'
import { sentences } from '../../../../test/whole/sentences.js'
import { failures } from '../../src/http/failures.js'
import { paramNamesIn, pathParam } from '../../src/http/path-params.js'
import { everyAnswer, isEndless } from '../../src/routes/declaration/answers.js'
import type { AnyRoute } from '../../src/routes/declaration/route.js'
import { fieldWords } from './field-words.js'

type JsonSchema = z.core.JSONSchema.JSONSchema
type Words = typeof fieldWords

/** The types of every operation as TypeScript, so that the client has them without the schemas that they come from. */
export function operationsSource(routes: readonly AnyRoute[]): string {
  const named = new Map<string, JsonSchema>()
  const typeOf = (schema: z.ZodType, io: 'input' | 'output') => {
    const { $defs = {}, ...own } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: withoutKnown({ permissions, events: [...coreEventKinds, ...Object.keys(events)] }),
    })
    for (const [name, definition] of Object.entries($defs)) named.set(name, definition)
    return typeText(own, io === 'input' ? fieldWords : {})
  }

  const operationOf = (route: AnyRoute): string => {
    const { path, answers } = route
    const query = route.permission === null ? null : route.query
    const body = route.permission === null ? null : route.body
    const file = fileOf(route)
    const told = everyAnswer(answers).map(({ schema }) => (schema === null ? 'Uint8Array' : typeOf(schema(), 'output')))
    const params = paramNamesIn(path).map((name) => `${name}: ${typeOf(pathParam(name).schema(), 'output')}`)
    return objectText([
      `params: ${objectText(params)}`,
      `query: ${query === null ? objectText([]) : typeOf(query(), 'input')}`,
      `body: ${file !== null ? 'Blob' : body === null ? objectText([]) : typeOf(body.schema(), 'input')}`,
      `answer: ${eachOnce(told)}`,
    ])
  }

  const whole = routes.filter(({ answers }) => !isEndless(answers))
  const methods = [...Map.groupBy(whole, ({ method }) => method)].map(
    ([method, its]) =>
      `${method}: ${objectText(
        its.flatMap((route) => [
          `${docOf(route.summary)}'${route.path}': ${operationOf(route)}`,
          ...alsoAt(route, `Operations['${method}']['${route.path}']`),
        ]),
      )}`,
  )
  const operations = `/** Every call of the API: its parameters, query and body, and what it answers. */\nexport interface Operations ${objectText(methods)}`
  const heading = '// Made from the routes of @sav/http-node: npm test -- client-operations -u rewrites it.'
  const codes = [...new Set([...Object.keys(sentences), ...Object.keys(failures)])].toSorted()
  const refusals = `/** Why a call may be refused, by names that never change. */\nexport type RefusalCode =${codes.map((code) => `\n  | '${code}'`).join('')}`
  return `${[heading, operations, ...declarationsOf(named), refusals].join('\n\n')}\n`
}

/**
 * The input of each use case, as TypeScript with doc comments, which editors show. A type inferred from a schema would
 * have none.
 */
export function inputsSource(inputs: Readonly<Record<string, () => z.ZodType>>): string {
  const members = Object.entries(inputs).map(([name, schema]) => {
    const json = z.toJSONSchema(schema(), { io: 'input', unrepresentable: 'any', override: withoutKnown() })
    return `${name}: ${typeText(json, fieldWords)}`
  })
  const heading = '// Made from the schemas of inputs.gen.ts: npm test -- client-operations -u rewrites it.'
  return `${heading}\n\n/** What each use case takes. */\nexport interface Inputs ${objectText(members)}\n`
}

/** A text field becomes `string`, without the known values. Permissions and kinds get all values of `known`. */
const withoutKnown =
  (known: Readonly<Record<string, string[]>> = {}) =>
  ({ zodSchema, jsonSchema }: { readonly zodSchema: unknown; readonly jsonSchema: JsonSchema }) => {
    if (zodSchema instanceof z.core.$ZodString) delete jsonSchema.enum
    const list = known[String(jsonSchema[ofFeatures])]
    if (list !== undefined) jsonSchema.enum = list
  }

/** The TypeScript type of an unnamed schema. */
export const typeOfSchema = (schema: z.ZodType): string => typeText(z.toJSONSchema(schema, { io: 'output' }))

/** The file that a route takes instead of JSON; null if it takes none. */
export const fileOf = (route: AnyRoute) => ('file' in route && route.file !== undefined ? route.file : null)

/** The second address of an operation: paths under `/v1/` are also served under `/api/v1/`. */
const alsoAt = ({ path, summary }: AnyRoute, type: string): string[] =>
  path.startsWith('/v1/') ? [`${docOf(summary)}'/api${path}': ${type}`] : []

/** The declarations of named types. A type that only adds members to another one extends it. */
function declarationsOf(named: ReadonlyMap<string, JsonSchema>): string[] {
  const objects = [...named].flatMap(([name, schema]) =>
    schema.type === 'object' ? [{ name, members: membersOf(schema) }] : [],
  )
  return [...named].map(([name, schema]) => {
    const own = objects.find((each) => each.name === name)?.members
    if (own === undefined) return `export type ${name} = ${typeText(schema)}`
    const [base] = objects
      .filter(({ members }) => members.length < own.length && own.length < 2 * members.length)
      .filter(({ members }) => members.every((member) => own.includes(member)))
      .toSorted((a, b) => b.members.length - a.members.length)
    const added = base === undefined ? own : own.filter((member) => !base.members.includes(member))
    return `export interface ${name} ${base === undefined ? '' : `extends ${base.name} `}${objectText(added)}`
  })
}

const objectText = (members: readonly string[]): string =>
  members.length === 0
    ? 'Record<never, never>'
    : `{\n${members.map((member) => `  ${member.replaceAll('\n', '\n  ')}`).join('\n')}\n}`

function typeText(schema: JsonSchema | boolean, words: Words = {}): string {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never'
  const { $ref, const: constant, enum: choices, anyOf, oneOf, allOf, not, type } = schema
  if ($ref !== undefined) return $ref.replace(/^.*\//, '')
  if (constant !== undefined) return literal(constant)
  if (choices !== undefined) return choices.map(literal).join(' | ')
  const alternatives = anyOf ?? oneOf
  if (alternatives !== undefined) return eachOnce(alternatives.map((one) => typeText(one, words)))
  if (type !== undefined) return eachOnce([type].flat().map((name) => plainText(name, schema, words)))
  if (allOf !== undefined) return allOf.map((one) => typeText(one, words)).join(' & ')
  return not === undefined ? 'unknown' : 'never'
}

/** @throws RangeError for a part of JSON Schema that this contract does not use */
function plainText(type: string, schema: JsonSchema, words: Words): string {
  if (type === 'array') return listText(schema, words)
  if (type === 'object') return recordText(schema, words)
  if (type === 'integer') return 'number'
  if (['string', 'number', 'boolean', 'null'].includes(type)) return type
  throw new RangeError(`no TypeScript for the type ${type}`)
}

const eachOnce = (types: readonly string[]) => [...new Set(types)].join(' | ')

function listText({ items }: JsonSchema, words: Words): string {
  const item = items === undefined || Array.isArray(items) ? 'unknown' : typeText(items, words)
  return / \| /.test(item) ? `(${item})[]` : `${item}[]`
}

function recordText(schema: JsonSchema, words: Words): string {
  const members = membersOf(schema, words)
  // An object without members must be empty. `Record<never, never>` would allow anything.
  return members.length === 0 && schema.additionalProperties === false ? 'Record<string, never>' : objectText(members)
}

const membersOf = (
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  words: Words = {},
): string[] => [
  ...Object.entries(properties).map(([name, property]) =>
    [
      docOf(textOf(property, words[name])),
      required.includes(name)
        ? `${name}: ${typeText(property, words)}`
        : `${name}?: ${typeText(property, words)} | undefined`,
    ].join(''),
  ),
  ...(typeof additionalProperties === 'object' ? [`[name: string]: ${typeText(additionalProperties, words)}`] : []),
]

/** The description of a field from its schema, or else the meaning of its name, followed by its bounds. */
function textOf(property: JsonSchema | boolean, meaning: string | undefined): string | undefined {
  if (typeof property === 'boolean') return meaning
  const { description = meaning } = property
  return description && [description, ...boundsOf(property)].join(' ')
}

/** The bounds of a value, with those of each alternative. A pattern already limits the length of a text. */
function boundsOf({ anyOf = [], pattern, ...schema }: JsonSchema): string[] {
  const { minLength = 0, maxLength, maxItems, minimum, maximum = Infinity } = schema
  return [
    ...anyOf.flatMap((one) => (typeof one === 'boolean' ? [] : boundsOf(one))),
    ...(maxLength === undefined || pattern !== undefined
      ? []
      : [`${minLength > 1 ? `${minLength} to` : 'At most'} ${maxLength} characters.`]),
    ...(maxItems === undefined ? [] : [`At most ${maxItems}.`]),
    ...(minimum === undefined || maximum >= 1_000_000_000 ? [] : [`From ${minimum} to ${maximum}.`]),
  ]
}

/** A description from the contract, as a docstring. */
export const docOf = (said: string | undefined): string => (said === undefined ? '' : `/** ${said} */\n`)

/** With single quotes, as the formatter has them. */
const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : JSON.stringify(value)
