import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { namesOf, receiver } from '../../test/receivers.js'
import { NameNotFoundError } from '../names/names.js'
import { ownLimitOf } from './own-limits.js'
import { ProxyAwayError } from './proxy-tunnels.js'

const run = promisify(execFile)
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const withCode = (code: string, address = '192.0.2.1') => Object.assign(new Error(`connect ${code}`), { code, address })

describe('a limit of our process or machine', () => {
  it('that prevents a connection or a look-up is not blamed on the receiver', async () => {
    const url = await receiver((_, res) => void res.writeHead(200, { connection: 'close' }).end())
    const { address } = await namesOf(() => ({ addresses: ['127.0.0.1'], ttlSeconds: 0 }))
    const urls = [url.replace('127.0.0.1', 'receiver.shop.example'), url]
    const command = [process.execPath, '--import', here('../../../../test/source.mjs')]
    const script = [...command, here('../../test/short-of-files.ts'), address, ...urls]
    const { stdout } = await run('sh', ['-c', 'ulimit -n 100; exec "$@"', 'sh', ...script])
    expect(JSON.parse(stdout)).toEqual(['EMFILE', 'EMFILE'])
  })

  it.each(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM'])('is %s, even inside another error', (code) => {
    const error = withCode(code)
    const met = [error, new ProxyAwayError('away', { cause: error }), new NameNotFoundError('a', { cause: error })]
    for (const each of met) expect(ownLimitOf(each)).toMatchObject({ name: 'OwnLimitError', limit: code })
  })

  it('is not inferred from an error of a receiver or of the network', () => {
    for (const code of ['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'toString'])
      expect(ownLimitOf(withCode(code))).toBeNull()
    expect(ownLimitOf(new NameNotFoundError('a', { cause: withCode('ENOTFOUND') }))).toBeNull()
  })
})
