/** A request target, which may be a whole URL (RFC 9112 §3.2.2), from its path on. */
export const localOf = (target: string) =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '')

/** The path and the query of a local target, without its fragment. */
export function split(local: string): { path: string; search: string } {
  const [whole = ''] = local.split('#', 1)
  const mark = whole.indexOf('?')
  return mark < 0 ? { path: whole, search: '' } : { path: whole.slice(0, mark), search: whole.slice(mark + 1) }
}
