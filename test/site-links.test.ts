import { expect, it } from 'vitest'
import { deadLinks } from './site-links.js'

const pages = new Map([
  ['index.html', '<a href="/docs/run.html">run</a> <a href="./docs/run#start">start</a> <img src="/a.png">'],
  [
    'docs/run.html',
    '<h2 id="start">Start</h2> <a href="#start">#</a> <a href="../">up</a> <a href="https://other.example/x">x</a>',
  ],
])
const files = new Set([...pages.keys(), 'a.png'])

it('finds nothing where every link leads somewhere', () => {
  expect(deadLinks(pages, files)).toEqual([])
})

it.each([
  ['a page', '<a class="link" href="/docs/stop.html">'],
  ['an anchor of another page', '<a href="/docs/run.html#stop">'],
  ['an anchor of its own', '<a href="#stop">'],
  ['a picture', '<img alt="b" src="/b.png">'],
  ['a script', '<script type="module" src="/assets/app.js">'],
])('names %s that is not there', (_, html) => {
  const [, link = ''] = /(?:href|src)="([^"]+)"/.exec(html) ?? []
  expect(deadLinks(new Map([...pages, ['docs/call.html', html]]), files)).toEqual([`docs/call.html: ${link}`])
})
