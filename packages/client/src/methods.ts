import type { SavClient } from './client.js'
import { type Methods, operations } from './methods.gen.js'

export type { Answer, CallOptions, Each, InputArguments } from './client.js'
export type { Methods } from './methods.gen.js'

/**
 * The calls of a client by name instead of by path.
 *
 *     const sav = createMethods(createClient({ baseUrl: 'https://sav.example', key: 'sav_live_…' }))
 *     const { data } = await sav.cases.create({ client_id: 7, description: 'La porte ne ferme plus.' })
 *     for await (const found of sav.cases.each({ statut: 'ouvert' })) console.log(found.reference)
 */
export function createMethods(client: SavClient): Methods {
  const named = Object.entries(operations).map(([group, its]) => [
    group,
    Object.fromEntries(Object.entries(its).map(([name, operation]) => [name, method(client, operation)])),
  ])
  return Object.fromEntries(named)
}

function method(client: SavClient, operation: string): (...given: unknown[]) => unknown {
  const [verb = '', path = '', input] = operation.split(' ')
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return (...given) => {
    const params = Object.fromEntries(names.map((name, index) => [name, given[index]]))
    const rest = given.slice(names.length)
    const said = input === undefined ? {} : { [input]: rest.shift() }
    return Object(client)[verb](path, { ...Object(rest[0]), ...said, params })
  }
}
