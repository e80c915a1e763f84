import type { ApiRequest } from './exchange.js'

/** The weights, 0 to 1, of the names in a header such as Accept-Encoding, by lowercase name (RFC 9110 §12.4.2). */
function weights(header: string): Map<string, number> {
  return new Map(
    header.split(',').map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
    }),
  )
}

/** Whether an Accept header includes problem details, and prefers none of our other types. */
export function wantsProblem(accept: string | undefined): boolean {
  if (accept === undefined || !/problem\+json/i.test(accept)) return false
  const weight = weights(accept)
  const problem = weight.get('application/problem+json') ?? 0
  return problem > 0 && problem >= (weight.get('application/json') ?? 0)
}

/** Whether an Accept header includes JSON, and does not prefer a page. */
export function wantsJson(accept: string | undefined): boolean {
  const weight = weights(accept ?? '')
  const json = weight.get('application/json') ?? 0
  return json > 0 && json >= (weight.get('text/html') ?? 0)
}

/**
 * The language of a page for people: that of `?langue=`, or else French, unless an Accept-Language header prefers
 * English.
 */
export function languageAsked(request: Pick<ApiRequest, 'header'>, search: string): 'fr' | 'en' {
  return languageIn(search) ?? languageFor(request.header('accept-language'))
}

/** The language in the query parameter `langue`; null if it is neither `fr` nor `en`. */
export function languageIn(search: string): 'fr' | 'en' | null {
  const chosen = new URLSearchParams(search).get('langue')
  return chosen === 'fr' || chosen === 'en' ? chosen : null
}

function languageFor(acceptLanguage: string | undefined): 'fr' | 'en' {
  const liked = (language: string) =>
    Math.max(
      0,
      ...[...weights(acceptLanguage ?? '')].map(([name, weight]) => (name.split('-')[0] === language ? weight : 0)),
    )
  return liked('en') > liked('fr') ? 'en' : 'fr'
}

export type Coding = 'br' | 'gzip'

/** The one of `ours` that an Accept-Encoding header prefers; undefined if it accepts none of them. */
export function codingFor(
  acceptEncoding: string | undefined,
  ours: readonly Coding[] = ['br', 'gzip'],
): Coding | undefined {
  if (acceptEncoding === undefined) return undefined
  const weight = weights(acceptEncoding)
  const weightOf = (coding: Coding) => weight.get(coding) ?? 0
  return ours.filter((coding) => weightOf(coding) > 0).toSorted((a, b) => weightOf(b) - weightOf(a))[0]
}
