import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { routes } from '../../../test/whole/routes.js'
import { openApiOf } from '../../http-node/src/api/openapi.js'

const contract = JSON.parse(JSON.stringify(openApiOf(routes)))

interface Schema {
  readonly $ref?: string
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
}

/** The schema, its alternatives, and the schemas that they refer to. */
function* ways(schema: Schema): Generator<Schema> {
  yield schema
  if (schema.$ref)
    yield* ways(
      schema.$ref
        .slice(2)
        .split('/')
        .reduce((at, name) => at[name], contract),
    )
  for (const each of schema.anyOf ?? []) yield* ways(each)
}

const fieldOf = (schema: Schema, name: string) =>
  [...ways(schema)].find(({ properties }) => properties?.[name])?.properties?.[name]
const lengthOf = (schema: Schema) => [...ways(schema)].find(({ maxLength }) => maxLength !== undefined)?.maxLength

/** Fields whose typed text may be longer than the value in the API, since it has spaces or several values. */
const typedOtherwise = ['siret', 'pieces']

describe('a form’s field accepts as many characters as the API', () => {
  it.each([
    ['directory/client-form.tsx', 'POST /api/v1/clients'],
    ['directory/poseur-form.tsx', 'POST /api/v1/poseurs'],
    ['directory/lieu-fields.tsx', 'POST /api/v1/clients', 'lieu'],
    ['cases/new-case.tsx', 'POST /api/v1/sav'],
    ['cases/comments.tsx', 'POST /api/v1/sav/{id}/commentaires'],
    ['cases/closing/close-case.tsx', 'POST /api/v1/sav/{id}/cloturer'],
    ['cases/closing/reopening.tsx', 'POST /api/v1/sav/{id}/rouvrir'],
    ['planning/visit.tsx', 'PATCH /v1/planning/{id}'],
    ['planning/new-visit.tsx', 'POST /v1/planning/rdv'],
    ['account/account.tsx', 'PUT /api/v1/compte'],
    ['access/new-key.tsx', 'POST /api/v1/cles'],
    ['webhooks/endpoint-form.tsx', 'POST /api/v1/webhooks'],
  ])('%s', (file, operation, ...within) => {
    const [method = '', path = ''] = operation.split(' ')
    const body: Schema = contract.paths[path][method.toLowerCase()].requestBody.content['application/json'].schema
    const source = readFileSync(join(import.meta.dirname, '../app', file), 'utf8')
    const fields = [...source.matchAll(/<Text(?:Field|Area)\s+name="(\w+)"[^<]*?maxLength=\{(\d+)\}/g)]
    const all = fields.map(([, name = '', length]) => ({ name, length: Number(length) }))
    const shown = all.filter(({ name }) => !typedOtherwise.includes(name))
    const allowed = shown.map(({ name }) => {
      const field = [...within, name].reduce((at: Schema | undefined, each) => at && fieldOf(at, each), body)
      return { name, length: field && lengthOf(field) }
    })
    expect(shown.length).toBeGreaterThan(0)
    expect(shown).toEqual(allowed)
  })
})
