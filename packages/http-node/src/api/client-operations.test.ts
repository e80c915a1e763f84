import { fileURLToPath } from 'node:url'
import type { Operations } from '@sav/client'
import { inputs as coreInputs } from '@sav/core/adapter'
import { expect, expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import { featureInputs } from '../../../../test/whole/inputs.gen.js'
import { routes } from '../../../../test/whole/routes.js'
import type { Inputs as CoreInputs } from '../../../core/src/input-types.gen.js'
import type { Inputs as FieldInputs } from '../../../field/src/input-types.gen.js'
import type { Inputs as InsightInputs } from '../../../insight/src/input-types.gen.js'
import type { Inputs as PeopleInputs } from '../../../people/src/input-types.gen.js'
import type { Inputs as PlanningInputs } from '../../../planning/src/input-types.gen.js'
import { methodsSource } from '../../test/client/methods.js'
import { inputsSource, operationsSource } from '../../test/client/operations.js'
import type { Params } from '../http/path-params.js'
import { done } from '../routes/declaration/answers.js'
import { readRoute } from '../routes/declaration/declare.js'
import type { OperationTypes } from '../routes/declaration/route.js'

const written = fileURLToPath(new URL('../../../client/src/operations.gen.ts', import.meta.url))
const writtenMethods = fileURLToPath(new URL('../../../client/src/methods.gen.ts', import.meta.url))

it('operations.gen.ts of the client is up to date', async () => {
  await expect(operationsSource(routes)).toMatchFileSnapshot(written)
})

const everyInput = { core: coreInputs, ...featureInputs }

it.each(Object.entries(everyInput))('input-types.gen.ts of %s is up to date', async (name, inputs) => {
  const types = fileURLToPath(new URL(`../../../${name}/src/input-types.gen.ts`, import.meta.url))
  await expect(inputsSource(inputs)).toMatchFileSnapshot(types)
})

it('the types of input-types.gen.ts equal those of the schemas', () => {
  type Every = typeof everyInput
  type OfSchemas<Of extends Readonly<Record<string, () => z.ZodType>>> = {
    [Name in keyof Of]: Plain<z.input<ReturnType<Of[Name]>>>
  }
  type Written = {
    core: Plain<CoreInputs>
    field: Plain<FieldInputs>
    insight: Plain<InsightInputs>
    people: Plain<PeopleInputs>
    planning: Plain<PlanningInputs>
  }
  expectTypeOf<Equal<Written, { [Name in keyof Every]: OfSchemas<Every[Name]> }>>().toEqualTypeOf<true>()
})

it('every field that a call or a use case takes has a docstring', () => {
  expect(silentFields(operationsSource(routes), 8)).toEqual([])
  for (const inputs of Object.values(everyInput)) expect(silentFields(inputsSource(inputs), 4)).toEqual([])
})

/** The fields of inputs that have no docstring. @param indent of the outermost fields, in spaces */
function silentFields(source: string, indent: number): string[] {
  const lines = source.split('\n')
  const part = new RegExp(`^ {${indent - 2}}(\\w+): `)
  const field = new RegExp(`^ {${indent},}(\\w+)\\??: `)
  let isTaken = false
  return lines.flatMap((line, index) => {
    const [, named] = part.exec(line) ?? []
    if (named !== undefined) isTaken = indent === 4 || named === 'query' || named === 'body'
    const name = field.exec(line)?.[1]
    return isTaken && name !== undefined && !lines[index - 1]?.endsWith('*/') ? [name] : []
  })
}

it('methods.gen.ts of the client is up to date', async () => {
  await expect(methodsSource(routes)).toMatchFileSnapshot(writtenMethods)
})

it('a resource outside all groups becomes its own group of methods', () => {
  const route = readRoute({
    path: '/api/v1/bons-de-commande',
    name: 'listBonsDeCommande',
    summary: 'List orders',
    permission: 'sav:read',
    answers: done('None.'),
    handle: async () => {},
  })
  expect(methodsSource([route])).toContain("  bonsDeCommande: {\n    list: 'get /api/v1/bons-de-commande',\n  },\n")
})

type AnyRoute = (typeof routes)[number]
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/**
 * The type at every depth, so that an interface equals a type with the same members. Routes take permissions and kinds
 * of any feature as texts, but the client names the known ones.
 */
type Plain<T> = T extends Uint8Array
  ? T
  : {
      -readonly [Key in keyof T]: Key extends 'permissions' | 'events'
        ? string[]
        : Key extends 'event'
          ? string
          : Plain<T[Key]>
    }

/** The input or output of a route in the client's types, which write an empty object as `Record<never, never>`. */
type ClientShape<T> = [T] extends [Record<string, never>] ? Record<never, never> : Plain<T>

type DifferingPath<R> = R extends {
  readonly method: infer M extends keyof Operations
  readonly path: infer P extends string
  readonly types?: infer Types
}
  ? NonNullable<Types> extends { answer: never }
    ? never
    : NonNullable<Types> extends { query: infer Query; body: infer Body; answer: infer Answer }
      ? P extends keyof Operations[M]
        ? Equal<
            Plain<Operations[M][P]>,
            Plain<{
              params: Params<P>
              query: ClientShape<Query>
              body: ClientShape<Body>
              answer: ClientShape<Answer>
            }>
          > extends true
          ? never
          : P
        : P
      : P
  : 'no route'

it('the types of the client equal those of the routes', () => {
  expectTypeOf<DifferingPath<AnyRoute>>().toEqualTypeOf<never>()
})

it('a route whose answer differs from the client’s type is detected', () => {
  type Nothing = Record<string, never>
  expectTypeOf<
    DifferingPath<OperationTypes<'GET', '/healthz', Nothing, Nothing, { success: true }>>
  >().toEqualTypeOf<never>()
  expectTypeOf<
    DifferingPath<OperationTypes<'GET', '/healthz', Nothing, Nothing, { success: boolean }>>
  >().toEqualTypeOf<'/healthz'>()
  expectTypeOf<
    DifferingPath<OperationTypes<'GET', '/elsewhere', Nothing, Nothing, { success: true }>>
  >().toEqualTypeOf<'/elsewhere'>()
})
