/** The tag that each change of ours left behind, by the resource and the tag that it named. */
const tagAfter = new Map<string, string>()
/** The last change of each resource that is under way. */
const underWay = new Map<string, Promise<unknown>>()

/**
 * Sends the changes of a resource one after the other. Each names the tag that the one before it left. So a person who
 * presses twice before the screen was read again has no conflict with himself. A change by others in between still refuses it.
 * @param send with the `If-Match` that fits
 */
export async function inTurn(url: string, seen: string, send: (tag: string) => Promise<Response>): Promise<Response> {
  const before = underWay.get(url)
  const sent = (async () => {
    await before?.catch(() => {})
    let tag = seen
    for (let next: string | undefined = tag; next !== undefined; next = tagAfter.get(`${url}\n${tag}`)) tag = next
    const response = await send(tag)
    const left = response.headers.get('etag')
    if (response.ok && left !== null && left !== tag) tagAfter.set(`${url}\n${tag}`, left)
    return response
  })()
  underWay.set(url, sent)
  return sent
}
