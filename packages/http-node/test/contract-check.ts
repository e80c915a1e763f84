import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type * as z from 'zod'
import { routes } from '../../../test/whole/routes.js'
import { failuresOf } from '../src/api/openapi.js'
import { createRouter } from '../src/api/router.js'
import type { Api, ApiResponse } from '../src/http/exchange.js'
import { type FailureKind, failureSchema, failures } from '../src/http/failures.js'
import { everyAnswer } from '../src/routes/declaration/answers.js'
import type { AnyRoute } from '../src/routes/declaration/route.js'

const find = createRouter(routes)
const faults: string[] = []

/** For `afterEach`: a test fails when an answer of its service did not match the contract. */
export function expectContractKept(): void {
  expect(faults.splice(0)).toEqual([])
}

/** The same API, each answer of which is compared with the contract. */
export function heldToContract(api: Api, { takesKeys }: { readonly takesKeys: boolean }): Api {
  return async (request) => {
    const response = await api(request)
    const path = request.target.replace(/^https?:\/\/[^/]*/, '').replace(/\?.*/s, '')
    const route = find(path)?.resource.routes.get(request.method)
    const fault =
      request.method === 'HEAD' || route === undefined
        ? undefined
        : faultOf(route, response, failuresOf(route, { takesKeys }))
    if (fault !== undefined) faults.push(`${request.method} ${path} answered ${response.status}: ${fault}`)
    return response
  }
}

function faultOf(route: AnyRoute, response: ApiResponse, refusals: readonly FailureKind[]): string | undefined {
  const header = (name: string) => response.headers[response.headers.indexOf(name) + 1]
  if (response.status === 304) return route.method === 'GET' ? undefined : 'only a GET may be answered 304'
  // The client has disconnected, so nobody reads this answer.
  if (response.status === failures.client_left.status) return undefined
  const { answers } = route
  const success = everyAnswer(answers).find(({ status }) => status === response.status)
  const type = header('Content-Type')?.replace(/;.*/, '') ?? ''
  const isPart = response.status === 206 && answers.headers.includes('Accept-Ranges')
  if (isPart) return answers.mediaTypes.includes(type) ? undefined : `${type} is not in the contract`
  if (success?.schema === null) return success.mediaTypes.includes(type) ? undefined : `${type} is not in the contract`
  if (response.headers.includes('Content-Encoding')) return undefined

  const { type: _, title: __, status: ___, ...body } = JSON.parse(response.body.toString())
  if (success !== undefined) return mismatch([success.schema()], body)
  // The detail of a problem may be the sentence itself.
  if (type === 'application/problem+json' && body.detail === body.error) delete body.detail
  return mismatch(refusals.map(failureSchema), body)
}

/** Why no schema accepts the body with all of its fields; undefined if one does. */
function mismatch(schemas: readonly z.ZodType[], body: unknown): string | undefined {
  const results = schemas.map((schema) => schema.safeParse(body))
  if (results.some(({ success, data }) => success && isDeepStrictEqual(data, body))) return undefined
  return `${JSON.stringify(body)} is not in the contract: ${results.map(({ error }) => error?.message ?? 'fields that it does not name').join('; ')}`
}
