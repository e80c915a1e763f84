import { expect, it } from 'vitest'
import * as z from 'zod'
import { routes } from '../../../../test/whole/routes.js'
import { queryReader } from './query.js'

interface PropertySchema {
  readonly type?: string
  readonly anyOf?: readonly PropertySchema[]
}

/** The kinds of number that the contract says a parameter may be. */
const numbersOf = ({ type, anyOf = [] }: PropertySchema): string[] =>
  type === 'integer' || type === 'number' ? [type] : anyOf.flatMap(numbersOf)

const queries = routes.flatMap((route) =>
  'query' in route && route.query !== null ? [{ route: route.name, schema: route.query() }] : [],
)

it('a query parameter is read as a number if, and only if, it is a number in the contract', () => {
  expect(queries.length).toBeGreaterThan(15)
  const kinds = queries.flatMap(({ route, schema }) => {
    const read = queryReader(schema)
    const { properties = {} } = z.toJSONSchema(schema, { io: 'input' })
    return Object.entries(properties as Record<string, PropertySchema>).map(([name, property]) => {
      const isNumber = (text: string) => typeof Object.entries(read(`${name}=${text}`))[0]?.[1] === 'number'
      const found = isNumber('12') ? [isNumber('1.5') ? 'number' : 'integer'] : []
      expect([route, name, found]).toEqual([route, name, numbersOf(property)])
      return found.join()
    })
  })
  expect([...new Set(kinds)].sort()).toEqual(['', 'integer', 'number'])
})

it.each(['', '1.0', '1e2', '+5', '0x10', '-1', ' 1', '١'])('the query value %j is left as text', (text) => {
  const read = queryReader(z.strictObject({ limite: z.int().optional() }))
  expect(read(`limite=${encodeURIComponent(text)}`)).toEqual({ limite: text })
  expect(read('limite=010')).toEqual({ limite: 10 })
})
