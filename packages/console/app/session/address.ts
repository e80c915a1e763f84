/** Where the console is mounted, without a slash at its end. */
export const base = new URL(document.baseURI).pathname.replace(/\/$/, '')

/** The sign-in page of the server beside the console; empty: people sign in here. */
export const signInOfHost = document.documentElement.dataset['signIn'] ?? ''

/** The address of a screen: `/dossiers/7` as it is linked. */
export const to = (screen: string): string => base + screen

/** A query with what is set in it. */
export function withQuery(screen: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.append(name, String(value))
  return to(search.size === 0 ? screen : `${screen}?${search}`)
}
