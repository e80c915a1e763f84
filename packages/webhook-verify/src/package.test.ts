import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { type BuildOptions, build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createdEvent, delivery, now, readVectors, secret } from '../test/deliveries.js'

const root = fileURLToPath(new URL('..', import.meta.url))

test('the package depends on nothing', async () => {
  const manifest: Record<string, unknown> = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundledDependencies']) {
    expect(manifest).not.toHaveProperty(kind)
  }
  for (const file of await readdir(join(root, 'src'))) {
    if (file.endsWith('.test.ts')) continue
    const source = await readFile(join(root, 'src', file), 'utf8')
    const imported = [...source.matchAll(/from '([^']+)'/g)].map((match) => match[1] ?? '')
    const foreign = imported.filter((name) => !name.startsWith('./') && name !== '#hmac')
    expect(foreign, file).toEqual([])
  }
})

describe('in a browser or a worker', () => {
  let folder: string
  let code: string

  /** Builds the package as for publishing, with `#hmac` left to package.json, and bundles it as an application does. */
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webhook-verify-'))
    await cp(join(root, 'package.json'), join(folder, 'package.json'))
    const sources = (await readdir(join(root, 'src'))).filter((file) => !file.endsWith('.test.ts'))
    const published: BuildOptions = { bundle: true, external: ['#hmac', 'node:*'], format: 'esm', splitting: true }
    await build({
      ...published,
      entryPoints: sources.map((file) => join(root, 'src', file)),
      outdir: join(folder, 'dist'),
    })
    const application = { bundle: true, logLevel: 'error', minify: true, platform: 'browser', format: 'iife' } as const
    const entryPoints = [join(folder, 'dist/index.js')]
    const bundle = await build({ ...application, entryPoints, globalName: 'webhooks', write: false })
    code = bundle.outputFiles[0]?.text ?? ''
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Runs `expression` with only the globals that browsers and workers have. */
  function run<T>(expression: string, values: Record<string, unknown>): Promise<T> {
    const platform = { crypto, TextEncoder, TextDecoder, atob, btoa }
    return runInNewContext(`${code}; (async () => { ${expression} })()`, { ...platform, ...values })
  }

  test('the bundle contains WebCrypto, not node:crypto', () => {
    expect(code).toContain('subtle')
    expect(code).not.toMatch(/node:|require|\bBuffer/)
  })

  test('verification takes at most 2 KiB in a browser, compressed', async () => {
    const contents = "export { verify } from './dist/index.js'"
    const application = { bundle: true, logLevel: 'error', minify: true, platform: 'browser', format: 'esm' } as const
    const bundle = await build({ ...application, stdin: { contents, resolveDir: folder }, write: false })
    expect(gzipSync(bundle.outputFiles[0]?.contents ?? '').length).toBeLessThanOrEqual(2048)
  })

  test.each(readVectors())('the bundle signs and verifies the vector "$name"', async (vector) => {
    const signed = await run<Record<string, string>>(
      `const headers = await webhooks.sign({ id: vector.webhook_id, timestamp: vector.webhook_timestamp, body: vector.body, secret: vector.secret })
       const now = vector.webhook_timestamp * 1000
       await webhooks.verifySignature(vector.body, headers, vector.secret, { now })
       await webhooks.verifySignature(vector.body, headers, vector.secret, { now, scheme: 'specification' })
       return headers`,
      { vector },
    )
    expect(signed['X-Webhook-Signature']).toBe(vector.x_webhook_signature)
    expect(signed['webhook-signature']).toBe(vector.webhook_signature)
  })

  test('the bundle returns the event, or the reason for a refusal', async () => {
    const sent = await delivery()
    const result = await run<unknown[]>(
      `const options = { now }
       const tampered = Uint8Array.from(sent.body).fill(49, 80, 81)
       return [
         await webhooks.safeVerify(sent.body, sent.headers, secret, options),
         await webhooks.safeVerify(tampered, sent.headers, secret, options),
       ]`,
      { sent, secret, now },
    )
    expect(result).toEqual([
      { ok: true, event: createdEvent },
      { ok: false, reason: 'signature_mismatch', message: expect.any(String) },
    ])
  })
})
