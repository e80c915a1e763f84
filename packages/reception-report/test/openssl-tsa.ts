import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const configuration = `
[req]
distinguished_name = name
prompt = no
[name]
CN = Horodatage d'essai
[tsa_cert]
extendedKeyUsage = critical,timeStamping
keyUsage = critical,digitalSignature
[tsa]
default_tsa = tsa_config
[tsa_config]
serial = serial
default_policy = 1.2.3.4.1
digests = sha256, sha512
signer_digest = sha256
accuracy = secs:1
ordering = yes
tsa_name = yes
ess_cert_id_chain = no
`

export interface Authority {
  readonly url: string
  lastRequest(): { headers: IncomingMessage['headers']; body: Buffer }
  /** Resolves to the answer of `openssl ts -reply` to a query. */
  reply(query: Buffer): Promise<Buffer>
  /** The authority's certificate in PEM format. */
  readonly certificate: string
  /** Whether `openssl ts -verify` accepts the answer for this hash. */
  verify(answer: Uint8Array, hash: string): Promise<boolean>
  /** Makes the authority answer requests by this function instead of openssl. */
  answerWith(answer: (query: Buffer, response: ServerResponse) => unknown): void
  close(): Promise<void>
}

/** A timestamp authority: openssl's responder behind an HTTP server. */
export async function opensslAuthority(): Promise<Authority> {
  const folder = await mkdtemp(join(tmpdir(), 'sav-tsa-'))
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
  await writeFile(join(folder, 'tsa.cnf'), configuration)
  await writeFile(join(folder, 'serial'), '01\n')
  await openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'tsa.key',
    '-out',
    'tsa.pem',
    '-days',
    '2',
    '-config',
    'tsa.cnf',
    '-extensions',
    'tsa_cert',
  )

  async function reply(query: Buffer): Promise<Buffer> {
    await writeFile(join(folder, 'query.tsq'), query)
    await openssl(
      'ts',
      '-reply',
      '-config',
      'tsa.cnf',
      '-queryfile',
      'query.tsq',
      '-signer',
      'tsa.pem',
      '-inkey',
      'tsa.key',
      '-out',
      'reply.tsr',
    )
    return readFile(join(folder, 'reply.tsr'))
  }

  let last: ReturnType<Authority['lastRequest']> | undefined
  let answer = async (query: Buffer, response: ServerResponse): Promise<unknown> =>
    response.writeHead(200, { 'Content-Type': 'application/timestamp-reply' }).end(await reply(query))
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    last = { headers: request.headers, body: Buffer.concat(chunks) }
    await answer(last.body, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')

  return {
    url: `http://127.0.0.1:${address.port}/tsa`,
    reply,
    certificate: await readFile(join(folder, 'tsa.pem'), 'utf8'),
    lastRequest() {
      if (last === undefined) throw new Error('nothing was asked')
      return last
    },
    async verify(stamp, hash) {
      await writeFile(join(folder, 'answer.tsr'), stamp)
      const arguments_ = ['ts', '-verify', '-in', 'answer.tsr', '-digest', hash, '-CAfile', 'tsa.pem']
      return openssl(...arguments_).then(
        ({ stdout }) => stdout.includes('Verification: OK'),
        () => false,
      )
    },
    answerWith(given) {
      answer = async (query, response) => given(query, response)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true })
    },
  }
}
