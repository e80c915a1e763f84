import { readFileSync } from 'node:fs'

/** How a short name is completed: see resolv.conf(5). */
export interface SearchRules {
  readonly domains: readonly string[]
  /** A name with at least this many dots is first looked up unchanged. */
  readonly ndots: number
}

/** Reads the search rules of a resolv.conf. The last `search` or `domain` line counts. */
export function readSearchRules(text: string): SearchRules {
  let domains: readonly string[] = []
  let ndots = 1
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line.trim().split(/\s+/)
    if (keyword === 'search') domains = values
    else if (keyword === 'domain') domains = values.slice(0, 1)
    else if (keyword === 'options')
      for (const value of values) {
        const [, digits] = /^ndots:(\d{1,2})$/.exec(value) ?? []
        if (digits !== undefined) ndots = Math.min(Number(digits), 15)
      }
  }
  return { domains: domains.map((domain) => domain.replace(/\.$/, '')).filter((domain) => domain !== ''), ndots }
}

/** A missing file has no search domains. */
export function searchRulesOf(path: string): SearchRules {
  try {
    return readSearchRules(readFileSync(path, 'utf8'))
  } catch {
    return { domains: [], ndots: 1 }
  }
}

/** The names to try for `hostname`, in order. */
export function candidatesOf(hostname: string, { domains, ndots }: SearchRules): string[] {
  if (hostname.endsWith('.')) return [hostname.slice(0, -1)]
  const completed = domains.map((domain) => `${hostname}.${domain}`)
  const dots = hostname.split('.').length - 1
  return dots >= ndots ? [hostname, ...completed] : [...completed, hostname]
}
