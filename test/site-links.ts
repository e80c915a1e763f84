import { posix } from 'node:path'

const origin = 'http://site.example/'

/**
 * The dead links of a built site: `page: link` for each link, anchor, picture or script without a target.
 * @param htmlOf pages by their path in the site
 * @param files all files of the site, including the pages
 */
export function deadLinks(htmlOf: ReadonlyMap<string, string>, files: ReadonlySet<string>): string[] {
  const anchors = new Map([...htmlOf].map(([page, html]) => [page, anchorsOf(html)]))
  const pageAt = (path: string): string | undefined =>
    [path, `${path}.html`, posix.join(path, 'index.html')].find((each) => anchors.has(each))
  const dead: string[] = []
  for (const [page, html] of htmlOf)
    for (const link of linksOf(html)) {
      const { origin: of, pathname, hash } = new URL(link, `${origin}${page}`)
      if (`${of}/` !== origin) continue
      const path = decodeURIComponent(pathname.slice(1))
      const target = pageAt(path)
      const isDead =
        target === undefined
          ? !files.has(path)
          : hash !== '' && !anchors.get(target)?.has(decodeURIComponent(hash.slice(1)))
      if (isDead) dead.push(`${page}: ${link}`)
    }
  return dead
}

const anchorsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id))

const linksOf = (html: string) =>
  new Set(
    [...html.matchAll(/<[a-z][^>]* (?:href|src)="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&')),
  )
