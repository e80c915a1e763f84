import { paramNamesIn, pathParam } from '../../src/http/path-params.js'
import { isEndless } from '../../src/routes/declaration/answers.js'
import type { AnyRoute } from '../../src/routes/declaration/route.js'
import { docOf, fileOf, typeOfSchema } from './operations.js'

/**
 * The client's groups: a path belongs to the first group whose expression it matches. The first noun is left out of a
 * method's name: `listCases` becomes `cases.list`. A later noun is left out if the shorter name is still free.
 */
const groups: readonly (readonly [name: string, path: RegExp, ...nouns: RegExp[]])[] = [
  ['cases', /^\/api\/v1\/sav\b/, /Cases?$/, /Case(?=Rdv$)/],
  ['planning', /^\/v1\/planning\b/, /Rdv$/],
  ['clients', /^\/api\/v1\/clients\b/, /Clients?$/],
  ['poseurs', /^\/api\/v1\/poseurs\b/, /Poseurs?$/],
  ['webhooks', /^\/api\/v1\/webhooks\b/, /Endpoints?$/, /Deliver(y|ies)$/],
  ['evidence', /^\/api\/v1\/(preuves?|evidence)\b/, /Evidence$/],
  ['keys', /^\/api\/v1\/cles\b/, /Keys?$/],
  ['account', /^\/api\/v1\/compte\b/, /Account$/],
  ['users', /^\/api\/v1\/utilisateurs\b/, /Users?$/],
  ['session', /^\/api\/v1\/session\b/, /Session$/],
  ['audit', /^\/api\/v1\/audit\b/, /Audit$/],
  ['followUps', /^\/api\/v1\/a-traiter\b/, /FollowUps?$/],
  ['field', /^\/api\/v1\/(terrain|fichiers)\b/, /Field$/, /Field/],
  ['service', /^(?!\/api\/v1\/)|^\/api\/v1\/(recherche|statistiques|sante)\b/],
]

/** The group of a resource that `groups` does not list, named after it: `listTags` of `/api/v1/tags` is `tags.list`. */
function ownGroup(path: string): (typeof groups)[number] {
  const [, , , word = ''] = path.split('/')
  const name = word.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  return [name, /^/, new RegExp(`${name.replace(/s$/, '')}s?$`, 'i')]
}

interface ClientMethod {
  readonly group: string
  readonly name: string
  readonly route: AnyRoute
}

/** @throws RangeError for two methods of one name */
function named(routes: readonly AnyRoute[]): ClientMethod[] {
  const taken = new Map<string, AnyRoute>()
  const left: ClientMethod[] = []
  const put = (group: string, name: string, route: AnyRoute) => {
    const known = taken.get(`${group}.${name}`)
    if (known !== undefined) throw new RangeError(`${known.name} and ${route.name} would both be ${group}.${name}`)
    taken.set(`${group}.${name}`, route)
    left.push({ group, name, route })
  }
  const placed = routes.map((route) => {
    const [group, , first, ...others] = groups.find(([, path]) => path.test(route.path)) ?? ownGroup(route.path)
    return { group, first, others, route }
  })
  const short = (name: string, noun: RegExp | undefined) => (noun === undefined ? name : name.replace(noun, '') || name)
  const isOfFirst = ({ first, route }: (typeof placed)[number]) => first?.test(route.name) === true
  for (const each of placed.filter(isOfFirst)) put(each.group, short(each.route.name, each.first), each.route)
  for (const each of placed.filter((place) => !isOfFirst(place))) {
    const names = each.others.map((noun) => short(each.route.name, noun))
    put(each.group, names.find((name) => !taken.has(`${each.group}.${name}`)) ?? each.route.name, each.route)
  }
  return left
}

/** Where a call has input besides its path. */
function inputOf(route: AnyRoute): 'query' | 'body' | null {
  if (route.permission === null) return null
  if (route.query !== null && route.body !== null) throw new RangeError(`${route.name} takes a query and a body`)
  if (route.body !== null || fileOf(route) !== null) return 'body'
  return route.query === null ? null : 'query'
}

const isPaged = ({ answers: { schema } }: AnyRoute) => Object.hasOwn(Object(schema?.()).shape ?? {}, 'pagination')

function signatures({ name, route }: ClientMethod): string[] {
  const operation = `'${route.method}', '${route.path}'`
  const params = paramNamesIn(route.path).map((param) => `${param}: ${typeOfSchema(pathParam(param).schema())}`)
  const input = inputOf(route)
  const inputs = input === null ? [] : [`...input: InputArguments<${operation}, '${input}'>`]
  const parameters = [...params, ...(inputs.length > 0 ? inputs : ['options?: CallOptions'])].join(', ')
  const own = `${docOf(route.summary)}${name}(${parameters}): Promise<Answer<${operation}>>`
  if (!isPaged(route)) return [own]
  const each = `${docOf(`${route.summary}: every one, page after page`)}${eachOf(name)}(${parameters}): Each<'${route.path}'>`
  return [own, each]
}

const eachOf = (name: string) => name.replace(/^list/, 'each')

function entries({ name, route }: ClientMethod): string[] {
  const rest = [route.path, inputOf(route) ?? ''].join(' ').trim()
  const own = `${name}: '${route.method.toLowerCase()} ${rest}'`
  return isPaged(route) ? [own, `${eachOf(name)}: 'each ${rest}'`] : [own]
}

/** The methods of the client by names, as TypeScript. */
export function methodsSource(routes: readonly AnyRoute[]): string {
  const whole = named(routes.filter(({ answers }) => !isEndless(answers)))
  const byGroup = [...Map.groupBy(whole, ({ group }) => group)]
  const indented = (lines: readonly string[], end: string) =>
    lines.map((line) => `    ${line.replaceAll('\n', '\n    ')}${end}\n`).join('')
  const table = byGroup.map(([group, its]) => `  ${group}: {\n${indented(its.flatMap(entries), ',')}  },\n`)
  const types = byGroup.map(([group, its]) => `  readonly ${group}: {\n${indented(its.flatMap(signatures), '')}  }\n`)
  return `// Made from the routes of @sav/http-node: npm test -- client-operations -u rewrites it.
import type { Answer, CallOptions, Each, InputArguments } from './client.js'

/** Each method by its group: how it is called, at which path, and where its input goes. */
export const operations = {
${table.join('')}} as const

/** Every call of the API by a name: the parameters of its path, then its query or body, then headers and a signal. */
export interface Methods {
${types.join('')}}
`
}
