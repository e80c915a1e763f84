/** The tag that each of our changes returned, by the resource and the tag that the change sent. */
const tagAfter = new Map<string, string>()
/** The last change in progress of each resource. */
const underWay = new Map<string, Promise<unknown>>()

/**
 * Sends the changes of a resource one after the other, each with the tag that the previous one returned. So a user who
 * presses twice before the screen is read again does not conflict with their own change. A change by others in between
 * is still refused.
 * @param send makes the change, with this tag as its `If-Match`
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
