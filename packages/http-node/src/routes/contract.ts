import { docsPage, docsPolicy, docsScript } from '../contract/docs-page.js'
import { bytes } from './declaration/answers.js'
import { publicRoute } from './declaration/declare.js'

/** The contract, for machines and for people. */
export const contractRoutes = [
  publicRoute({
    path: '/openapi.json',
    name: 'contract',
    summary: 'This contract',
    answers: bytes(['application/json'], 'OpenAPI 3.1.'),
    handle: async ({ contract }) => ({ media_type: 'application/json', content: await contract(), cache: 'no-cache' }),
  }),
  publicRoute({
    path: '/docs',
    name: 'docs',
    summary: 'This contract as a page',
    answers: bytes(['text/html'], 'The page.'),
    handle: async () => ({
      media_type: 'text/html; charset=utf-8',
      content: await docsPage(),
      cache: 'no-cache',
      headers: ['Content-Security-Policy', docsPolicy, 'Referrer-Policy', 'no-referrer'],
    }),
  }),
  publicRoute({
    path: '/docs/reference.js',
    name: 'docsScript',
    summary: 'The script of the page `/docs`',
    answers: bytes(['text/javascript'], 'The script.'),
    async handle() {
      const { content, version } = await docsScript()
      return {
        media_type: 'text/javascript; charset=utf-8',
        content,
        cache: 'public, max-age=31536000, immutable',
        headers: ['ETag', `"${version}"`],
      }
    },
  }),
]
