import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { withOutsideFiles } from '@sav/core/adapter'
import { type FileContents, type StoredFile, UnavailableError } from '@sav/core/ports'
import { fixedClock } from '@sav/core/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { memoryStorage } from '../../../test/memory-storage.js'
import { needs } from '../../../test/needs.js'
import { startBucket } from '../../../test/s3-server.js'
import { s3Files } from './s3-files.js'
import { s3Server } from './s3-server.js'
import { parseAnswer } from './xml.js'

function photo(text: string | Buffer = 'une photo'): StoredFile {
  const content = Buffer.from(text)
  return { sha256: hash('sha256', content), media_type: 'image/jpeg', content }
}

async function listed(contents: FileContents, only?: string): Promise<string[]> {
  const names: string[] = []
  for await (const { account_id, sha256 } of contents.list(only)) names.push(`${account_id}/${sha256}`)
  return names.sort()
}

async function rejection(promise: Promise<unknown>): Promise<Error> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof Error) return error
  throw new Error('It did not reject.')
}

const hasServer = needs('versitygw', 'contents of files in a bucket of a real S3 server')

describe.runIf(hasServer)('files in a bucket', () => {
  it('are read back byte for byte, only by their account, and are gone once removed', async () => {
    await using server = await startBucket()
    const contents = s3Files({ ...server, prefix: 'sav/prod/' })
    const [small, large] = [photo(), photo(Buffer.alloc(5 * 1024 * 1024, 'é'))]
    for (const file of [small, large, small]) await contents.put('ours', file)
    await contents.put('theirs', small)
    for (const { sha256, content } of [small, large])
      expect(Buffer.from((await contents.get('ours', sha256)) ?? []).equals(Buffer.from(content))).toBe(true)
    expect(await contents.get('theirs', large.sha256)).toBeNull()
    const names = [`ours/${small.sha256}`, `ours/${large.sha256}`, `theirs/${small.sha256}`].sort()
    expect(await listed(contents)).toEqual(names)
    // An account does not list the files of an account whose name begins with its own.
    await contents.put('ours-too', small)
    expect(await listed(contents, 'ours')).toEqual(names.filter((name) => name.startsWith('ours/')))
    // A store with another prefix does not list these files.
    expect(await listed(s3Files({ ...server, prefix: 'sav/' }))).toEqual([])
    for (const _ of ['once', 'twice']) await contents.remove('ours', small.sha256)
    expect(await contents.get('ours', small.sha256)).toBeNull()
    expect(Buffer.from((await contents.get('theirs', small.sha256)) ?? [])).toEqual(small.content)
  })

  it('are deleted with every version if the bucket keeps versions', async () => {
    await using server = await startBucket()
    const raw = s3Server(server)
    const enable = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'
    await raw.ask({ method: 'PUT', query: { versioning: '' }, body: new TextEncoder().encode(enable) })
    const versions = async () => {
      const answer = parseAnswer((await raw.ask({ query: { versions: '' } })).toString())
      return answer.all('Version', 'DeleteMarker').length
    }
    const contents = s3Files(server)
    const [file, other] = [photo(), photo('une autre')]
    for (const each of [file, file, other]) await contents.put('ours', each)
    const { sha256 } = file
    // An operator might delete it by hand, which keeps every version and adds a delete marker.
    await raw.ask({ method: 'DELETE', key: `ours/${sha256.slice(0, 2)}/${sha256}` })
    expect(await contents.get('ours', sha256)).toBeNull()
    expect(await versions()).toBe(4)
    await contents.remove('ours', sha256)
    expect(await versions()).toBe(1)
    expect(await listed(contents)).toEqual([`ours/${other.sha256}`])
  })

  it('that do not match their hash are refused, and no error reveals a key', async () => {
    await using server = await startBucket()
    const file = photo()
    const changed = { ...file, content: Buffer.from('une  photo') }
    await expect(s3Files(server).put('ours', changed)).rejects.toThrow(/s3:\/\/photos refused the request: 400/)
    const stranger = s3Files({ ...server, secretAccessKey: 'guessed by somebody' })
    const expired = s3Files({ ...server, sessionToken: 'a token' })
    for (const call of [
      () => stranger.put('ours', file),
      () => stranger.get('ours', file.sha256),
      () => listed(stranger),
      () => expired.put('ours', file),
    ]) {
      const error = await rejection(call())
      expect(error).toBeInstanceOf(UnavailableError)
      expect(error.message).toMatch(/cannot be used: it answered 40[03] (SignatureDoesNotMatch|InvalidToken)/)
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/guessed|a token|AKTEST|[0-9a-f]{65}/)
    }
    const nowhere = s3Files({ ...server, bucket: 'nowhere' })
    expect((await rejection(nowhere.get('ours', file.sha256))).message).toContain('NoSuchBucket')
  })

  it('cannot be stored or removed while the server is unreachable, but are removed once it answers', async () => {
    await using server = await startBucket()
    const clock = fixedClock()
    const { outsideFiles, reads } = withOutsideFiles(await memoryStorage(), { contents: s3Files(server), clock })
    await outsideFiles?.upload('ours', [photo()])
    await server.kill()
    await expect(outsideFiles?.upload('ours', [photo('une autre')])).rejects.toBeInstanceOf(UnavailableError)
    await clock.advance(10 * 60_000)
    await expect(outsideFiles?.removeDue()).rejects.toThrow('s3://photos cannot be used')
    await server.start()
    await clock.advance(10 * 60_000)
    expect(await outsideFiles?.removeDue()).toBe(2)
    expect(await listed(s3Files(server))).toEqual([])
    expect(await reads.fileRemovals.due('9', 10)).toEqual([])
  })
})

/** A server whose answers the test gives. */
async function answering(answer: RequestListener) {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    request.resume()
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const options = { endpoint: `http://127.0.0.1:${port}`, bucket: 'photos', region: 'eu-west-3' }
  const keys = { accessKeyId: 'AK', secretAccessKey: 'secret' }
  return { asked, open: (more = {}) => s3Files({ ...options, ...keys, ...more }) }
}

const refuse = (status: number, code: string) => (_: IncomingMessage, response: ServerResponse) =>
  response.writeHead(status).end(`<Error><Code>${code}</Code><Message>${code} AK</Message></Error>`)

describe('an S3 server', () => {
  it('that does not answer within the time limit is an error', async () => {
    const { open } = await answering(() => {})
    const since = performance.now()
    const error = await rejection(open({ timeoutMs: 200 }).get('ours', photo().sha256))
    expect(error).toMatchObject({ name: 'UnavailableError', retryAfterSeconds: 5 })
    expect(error.message).toBe('s3://photos cannot be used: no answer within 200 ms.')
    expect(performance.now() - since).toBeLessThan(10_000)
  })

  it('that stops in the middle of a file is an error after the time limit', async () => {
    const { open } = await answering((_, response) => void response.writeHead(200).write('half'))
    await expect(open({ timeoutMs: 200 }).get('ours', photo().sha256)).rejects.toBeInstanceOf(UnavailableError)
  })

  it('is asked three times if it is busy, but only once if it refuses', async () => {
    const busy = await answering(refuse(503, 'SlowDown'))
    await expect(busy.open().put('ours', photo())).rejects.toThrow('cannot be used: it answered 503 SlowDown')
    expect(busy.asked).toHaveLength(3)
    const refusing = await answering(refuse(403, 'AccessDenied'))
    expect(await rejection(refusing.open().put('ours', photo()))).toMatchObject({
      name: 'S3RefusedError',
      message: 's3://photos refused the request: 403 AccessDenied.',
    })
    expect(refusing.asked).toHaveLength(1)
  })

  it('gets the token of temporary keys; its redirects are not followed', async () => {
    const { open, asked } = await answering((_, response) =>
      response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
    )
    await expect(open({ sessionToken: 'a token' }).get('ours', photo().sha256)).rejects.toThrow('request: 307')
    expect(asked[0]?.headers['x-amz-security-token']).toBe('a token')
    expect(asked[0]?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AK\/\d{8}\/eu-west-3\/s3\/aws4_request, SignedHeaders=[^ ]*x-amz-security-token/,
    )
  })

  it('may answer at most 16 MiB', async () => {
    const { open } = await answering((_, response) => response.end(Buffer.alloc(17 * 1024 * 1024)))
    await expect(open().get('ours', photo().sha256)).rejects.toThrow('more than 16777216 bytes')
  })

  it('is listed page by page, without keys that are not ours', async () => {
    const keyOf = (text: string) => `p/ours/${photo(text).sha256.slice(0, 2)}/${photo(text).sha256}`
    const page = (keys: string[], end: string) =>
      `<R>${end}${keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')}</R>`
    const more = '<IsTruncated>true</IsTruncated><NextContinuationToken>next &amp; last</NextContinuationToken>'
    const { open } = await answering(({ url = '' }, response) => {
      const token = new URL(url, 'http://s3').searchParams.get('continuation-token')
      if (token === null) response.end(page([keyOf('a'), 'p/other/thing', 'p/ours/ab/'], more))
      else response.end(page(token === 'next & last' ? [keyOf('b')] : [], '<IsTruncated>false</IsTruncated>'))
    })
    const names = ['a', 'b'].map((text) => `ours/${photo(text).sha256}`)
    expect(await listed(open({ prefix: 'p/' }))).toEqual(names.sort())
  })

  it('is asked only for the files of one account if that account is erased', async () => {
    const { open, asked } = await answering((_, response) => response.end('<R><IsTruncated>false</IsTruncated></R>'))
    const contents = open({ prefix: 'p/' })
    await withOutsideFiles(await memoryStorage(), { contents, clock: fixedClock() }).outsideFiles?.removeAll('ours')
    await listed(contents)
    const prefixes = asked.map(({ url = '' }) => new URL(url, 'http://s3').searchParams.get('prefix'))
    expect(prefixes).toEqual(['p/ours/', 'p/'])
  })

  it('that answers a list with something other than XML is an error', async () => {
    const { open } = await answering((_, response) => response.end('<html>Welcome<br></html>'))
    await expect(listed(open())).rejects.toThrow(/Opening and end/)
  })
})

describe('names', () => {
  const keys = { region: 'x', accessKeyId: 'x', secretAccessKey: 'x' }
  it.each(['../ours', 'OURS', '', 'a/b'])('of files in an account %j are refused', async (account_id) => {
    const contents = s3Files({ ...keys, bucket: 'photos', endpoint: 'http://127.0.0.1:9' })
    for (const call of [
      () => contents.get(account_id, photo().sha256),
      () => contents.put(account_id, photo()),
      () => contents.remove(account_id, photo().sha256),
      () => contents.get('ours', `../${photo().sha256}`),
    ])
      await expect(call()).rejects.toThrow('cannot name a file')
  })

  it.each([
    { bucket: 'a/b' },
    { bucket: 'UP' },
    { bucket: 'photos', prefix: 'no-slash' },
    { bucket: 'photos', prefix: '../' },
    { bucket: 'photos', prefix: 'a//' },
  ])('of a bucket and a prefix such as %j are refused', (names) => {
    expect(() => s3Files({ ...keys, ...names })).toThrow(RangeError)
  })
})
