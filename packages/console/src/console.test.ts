import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Console, type ConsoleResponse, createConsole } from './console.js'

let directory: string
let pages: Console

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sav-console-'))
  await mkdir(join(directory, 'assets'))
  await writeFile(
    join(directory, 'index.html'),
    '<!doctype html><html data-api="" data-sign-in=""><base href="/"><title>SAV</title>',
  )
  await writeFile(join(directory, 'assets/index-1.js'), 'export const a = 1\n'.repeat(50))
  await writeFile(join(directory, 'assets/icon-1.svg'), '<svg/>')
  pages = createConsole({ directory })
})

afterAll(() => rm(directory, { recursive: true }))

const get = (target: string, headers: Record<string, string> = {}, method = 'GET', from = pages) =>
  from({ method, target, header: (name) => headers[name] })

function headerOf({ headers }: ConsoleResponse, name: string): string | undefined {
  const at = headers.findIndex((each, i) => i % 2 === 0 && each === name)
  return at < 0 ? undefined : headers[at + 1]
}

describe('the console', () => {
  it.each(['/app', '/app/', '/app/dossiers/7?onglet=preuve', 'http://shop.example/app/reglages/api/cles'])(
    'answers %s with its one page, which knows where it is mounted',
    async (target) => {
      const answer = await get(target)
      expect(answer.status).toBe(200)
      expect(String(answer.body)).toContain('<base href="/app/">')
      expect(headerOf(answer, 'Content-Type')).toBe('text/html; charset=utf-8')
      expect(headerOf(answer, 'Cache-Control')).toBe('no-cache')
    },
  )

  it('forbids browsers to cache the page of the installers’ app', async () => {
    await mkdir(join(directory, 'terrain/assets'), { recursive: true })
    await writeFile(join(directory, 'terrain/index.html'), '<base href="/">')
    const answer = await get('/app/terrain/visite/7')
    expect(answer.body.toString()).toBe('<base href="/app/terrain/">')
    expect(headerOf(answer, 'Cache-Control')).toBe('no-store')
  })

  it('writes the path of the API and the host’s sign-in page into its page', async () => {
    const beside = createConsole({ directory, basePath: '/sav', apiBase: '/sav-api', signInUrl: '/entree?a="1"&b' })
    const body = String((await get('/sav', {}, 'GET', beside)).body)
    expect(body).toContain('data-api="/sav-api" data-sign-in="/entree?a=&quot;1&quot;&amp;b"')
    expect(() => createConsole({ apiBase: 'https://elsewhere.example' })).toThrow(/^apiBase "https:.* must be a path/)
  })

  it('runs only its own scripts, and refuses frames', async () => {
    const policy = headerOf(await get('/app'), 'Content-Security-Policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  })

  it('serves its files as immutable, in the best content coding that the browser accepts', async () => {
    const plain = await get('/app/assets/index-1.js')
    expect(headerOf(plain, 'Cache-Control')).toBe('public, max-age=31536000, immutable')
    expect(headerOf(plain, 'Content-Type')).toBe('text/javascript; charset=utf-8')
    expect(headerOf(plain, 'Content-Encoding')).toBeUndefined()
    const br = await get('/app/assets/index-1.js', { 'accept-encoding': 'gzip, deflate, br' })
    expect(headerOf(br, 'Content-Encoding')).toBe('br')
    expect(brotliDecompressSync(br.body)).toEqual(Buffer.from(plain.body))
    const gzip = await get('/app/assets/index-1.js', { 'accept-encoding': 'br;q=0, gzip;q=0.5' })
    expect(headerOf(gzip, 'Content-Encoding')).toBe('gzip')
    expect(gunzipSync(gzip.body)).toEqual(Buffer.from(plain.body))
    expect(headerOf(gzip, 'Content-Length')).toBe(String(gzip.body.length))
  })

  it('answers 304 for a page that the browser already has', async () => {
    const tag = headerOf(await get('/app'), 'ETag') ?? ''
    const again = await get('/app', { 'if-none-match': tag })
    expect(again).toMatchObject({ status: 304, body: '' })
    expect(headerOf(again, 'ETag')).toBe(tag)
  })

  it.each([
    '/app/assets/none.js',
    '/app/assets/../index.html',
    '/app/assets/%2e%2e/index.html',
    '/apps',
    '/api/v1/sav',
    '/',
  ])('answers 404 to %s', async (target) => {
    expect((await get(target)).status).toBe(404)
  })

  it('accepts only GET and HEAD', async () => {
    const head = await get('/app', {}, 'HEAD')
    expect(head).toMatchObject({ status: 200, body: '' })
    expect(Number(headerOf(head, 'Content-Length'))).toBeGreaterThan(0)
    const post = await get('/app', {}, 'POST')
    expect(post.status).toBe(405)
    expect(headerOf(post, 'Allow')).toBe('GET, HEAD')
  })

  it('can be mounted at any path', async () => {
    const elsewhere = createConsole({ basePath: '/outils/sav', directory })
    expect(String((await get('/outils/sav/dossiers', {}, 'GET', elsewhere)).body)).toContain(
      '<base href="/outils/sav/">',
    )
    expect((await get('/app', {}, 'GET', elsewhere)).status).toBe(404)
    const root = createConsole({ basePath: '', directory })
    expect(String((await get('/dossiers', {}, 'GET', root)).body)).toContain('<base href="/">')
    for (const basePath of ['app', '/app/', '/a"b', '/a b', '//'])
      expect(() => createConsole({ basePath, directory })).toThrow(RangeError)
  })

  it('answers 503 if nothing was built, and says how to build it', async () => {
    const answer = await get('/app', {}, 'GET', createConsole({ directory: join(directory, 'nowhere') }))
    expect(answer.status).toBe(503)
    expect(String(answer.body)).toContain('npm run build')
  })
})
