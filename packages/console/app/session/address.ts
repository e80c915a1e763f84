/** Where the console is mounted, without a trailing slash. */
export const base = new URL(document.baseURI).pathname.replace(/\/$/, '')

/** The host's sign-in page; empty: people sign in on the console's own page. */
export const signInOfHost = document.documentElement.dataset['signIn'] ?? ''

/** The address of a screen: `/dossiers/7`, as in links. */
export const to = (screen: string): string => base + screen

/** The address of a screen with a query of the given values, without those that are undefined or empty. */
export function withQuery(screen: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.append(name, String(value))
  return to(search.size === 0 ? screen : `${screen}?${search}`)
}
