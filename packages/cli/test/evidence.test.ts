import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { needs } from '../../../test/needs.js'
import { openSqlite } from '../../../test/whole/opening.js'
import { opensslAuthority } from '../../reception-report/test/openssl-tsa.js'
import { png } from './images.js'
import { onLoopback } from './on-loopback.js'
import { readyWorkplace, type Workplace } from './workplace.js'

interface Anchor {
  readonly account: string
  readonly sequence: number
  readonly hash_entree: string
}

interface VerifyOutput {
  readonly checked: number
  readonly broken: readonly { readonly sequence: number | null; readonly problem: string }[]
}

async function closeCases(shop: Workplace, count: number): Promise<void> {
  const signature = await shop.write('signature.png', png)
  for (let n = 0; n < count; n += 1) {
    const args = ['cases', 'create', '--client-id', '1', '--description', `La porte n° ${n} ne ferme plus`]
    const { id } = await shop.json<{ id: number }>(args)
    await shop.json(['cases', 'close', String(id), '--resolution', `Charnière ${n}`, '--signature', signature])
  }
}

async function inDatabase(
  shop: Workplace,
  work: (db: Awaited<ReturnType<typeof openSqlite>>['db']) => Promise<unknown>,
) {
  const storage = await openSqlite(`${shop.dir}/sav-data/sav.db`)
  await work(storage.db)
  await storage.close()
}

const verify = async (shop: Workplace, more: readonly string[] = [], env = {}) => {
  const { code, stdout, stderr } = await shop.sav(['evidence', 'verify', '--json', ...more], env)
  if (stdout === '') throw new Error(stderr)
  return { code, ...(JSON.parse(stdout) as VerifyOutput) }
}

describe('sav evidence anchor', () => {
  it('prints the last entry of each chain, and adds it to a file by which a rewritten chain is detected', async () => {
    const shop = await readyWorkplace()
    expect(await shop.json('evidence anchor')).toEqual([])
    await closeCases(shop, 2)
    const [anchor] = await shop.json<Anchor[]>('evidence anchor --to anchors.jsonl')
    const [{ preuve }] = [await shop.json<{ preuve: Anchor[] }>('cases show 2')]
    expect(anchor).toEqual({ account: 'default', sequence: 2, hash_entree: preuve[0]?.hash_entree })
    await closeCases(shop, 1)
    await shop.json('evidence anchor --to anchors.jsonl')
    const lines = (await readFile(join(shop.dir, 'anchors.jsonl'), 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).sequence)).toEqual([2, 3])

    expect(await verify(shop, ['--anchor', 'anchors.jsonl'])).toMatchObject({ code: 0, checked: 3, broken: [] })
    const printed = await shop.write('printed.json', JSON.stringify([anchor]))
    expect((await verify(shop, ['--anchor', printed])).code).toBe(0)
    const forged = await shop.write('forged.json', JSON.stringify([{ ...anchor, hash_entree: 'e'.repeat(64) }]))
    expect(await verify(shop, ['--anchor', forged])).toMatchObject({
      code: 1,
      broken: [{ sequence: 2, problem: expect.stringMatching(/rewritten/) }],
    })
    // Every account in the file is checked; an account that is not in the store is reported as broken.
    const lost = await shop.write('lost.json', JSON.stringify([{ ...anchor, account: 'atelier' }, anchor]))
    expect(await verify(shop, ['--anchor', lost])).toMatchObject({
      code: 1,
      checked: 3,
      broken: [
        { account: 'atelier', sequence: 2, problem: expect.stringMatching(/atelier, which is not in this store/) },
      ],
    })
    const old = Array.from({ length: 20_000 }, (_, index) => ({ ...anchor, account: 'atelier', sequence: index + 1 }))
    const many = await shop.write('many.json', JSON.stringify(old))
    expect(await verify(shop, ['--anchor', many])).toMatchObject({ code: 1, broken: [{ sequence: 20_000 }] })
    await shop.json('accounts add atelier')
    expect((await verify(shop, ['--anchor', many])).broken).toHaveLength(20_000)
    expect(await verify(shop, ['--anchor', lost])).toMatchObject({ code: 1, broken: [{ account: 'atelier' }] })
    expect(await verify(shop, ['--anchor', lost, '--account', 'default'])).toMatchObject({ code: 0, broken: [] })
    // A file without an anchor of the checked account proves nothing, so it is refused.
    const empty = await shop.write('empty.json', '[]')
    for (const more of [[empty], [printed, '--account', 'atelier']]) {
      await shop.fails(['evidence', 'verify', '--anchor', ...more], 3, /^--anchor .*so nothing could be compared\.\n$/)
    }
    const none = await shop.write('none.json', 'hello')
    // The same anchors in other forms that people keep: the table, or several days of JSON in one file.
    const { stdout: table } = await shop.sav('evidence anchor')
    const days = `${JSON.stringify([anchor])}\n${JSON.stringify([anchor])}\n`
    const tables = `${table}\n${table.trimEnd().replaceAll('\n', '\r\n')}`
    for (const kept of [table, tables, days]) {
      expect(await verify(shop, ['--anchor', await shop.write('kept.txt', kept)])).toMatchObject({
        code: 0,
        broken: [],
      })
      const rewritten = kept.replaceAll(/[0-9a-f]{64}/g, 'e'.repeat(64))
      expect((await verify(shop, ['--anchor', await shop.write('rewritten.txt', rewritten)])).code).toBe(1)
    }
    for (const file of [none, 'missing.json'])
      expect((await shop.sav(['evidence', 'verify', '--anchor', file])).code).toBe(2)
  })

  it('writes a file that can be read up to 64 MiB, with a byte order mark or an incomplete last line', async () => {
    const shop = await readyWorkplace()
    await closeCases(shop, 1)
    const anchor = ['evidence', 'anchor', '--to', 'anchors.jsonl']
    await shop.json(anchor)
    const path = join(shop.dir, 'anchors.jsonl')
    const line = await readFile(path, 'utf8')
    await shop.write('anchors.jsonl', `\ufeff${line}${line.slice(0, 40)}`)
    const check = ['--anchor', 'anchors.jsonl']
    expect(await verify(shop, check)).toMatchObject({ code: 0, checked: 1, broken: [] })
    // The next anchor begins on a new line. An incomplete line before another one is invalid, and reported.
    await shop.write('anchors.jsonl', line.trimEnd())
    await shop.json(anchor)
    expect((await readFile(path, 'utf8')).trimEnd().split('\n')).toHaveLength(2)
    expect(await verify(shop, check)).toMatchObject({ code: 0, broken: [] })
    await shop.write('anchors.jsonl', `${line.slice(0, 40)}\n${line}`)
    expect((await shop.sav(['evidence', 'verify', ...check])).code).toBe(2)
    await shop.fails('evidence verify --anchor /dev/zero', 2, '--anchor /dev/zero: it has more than 64 MiB.\n')
  })

  it('prints the same anchors as a worker writes to a file or posts to a URL', async () => {
    const received: string[] = []
    const server = createServer(async (request, response) => {
      for await (const chunk of request) received.push(String(chunk))
      response.end()
    })
    const url = await onLoopback(server)
    const shop = await readyWorkplace()
    await closeCases(shop, 1)
    const [anchor] = await shop.json<Anchor[]>('evidence anchor')
    const first = await shop.workHere({ SAV_EVIDENCE_ANCHOR: join(shop.dir, 'left.jsonl') })
    const left = () => readFile(join(shop.dir, 'left.jsonl'), 'utf8').catch(() => '{}')
    await expect.poll(async () => JSON.parse(await left())).toMatchObject({ ...anchor })
    await first.stop()
    await shop.workHere({ SAV_EVIDENCE_ANCHOR: `${url}/` })
    await expect.poll(() => received.join('')).toBe(JSON.stringify([anchor]))
  })
})

it('sav doctor warns of evidence that has lacked a time stamp for two hours', async () => {
  const shop = await readyWorkplace({ SAV_TSA_URL: 'https://127.0.0.1:1/' })
  await closeCases(shop, 1)
  const closedAgo = async (minutes: number) => {
    const date = new Date(Date.now() - minutes * 60_000).toISOString()
    await inDatabase(shop, (db) => db.updateTable('evidence_entries').set({ date }).execute())
    return (await shop.json<{ warnings: string[] }>('doctor')).warnings.filter((warning) => /time stamp/.test(warning))
  }
  expect(await closedAgo(119)).toEqual([])
  expect(await closedAgo(121)).toEqual([
    expect.stringMatching(/^The evidence of the account default has had no time stamp since .*SAV_TSA_URL/),
  ])
})

describe.runIf(needs('openssl', 'what sav evidence says of time stamps'))('a time stamp', () => {
  it('is checked with its signature, and an exported bundle has each step from the case to the stamp', async () => {
    const [authority, other] = [await opensslAuthority(), await opensslAuthority()]
    onTestFinished(() => Promise.all([authority.close(), other.close()]).then(() => {}))
    const shop = await readyWorkplace()
    await closeCases(shop, 3)
    const pem = await shop.write('tsa.pem', authority.certificate)
    const worker = await shop.workHere({ SAV_TSA_URL: authority.url, SAV_TSA_CA: pem })
    const stamped = async () => (await shop.json<{ horodatage: object | null }>('evidence export 1')).horodatage
    await expect.poll(stamped).toMatchObject({ sequence: 3 })
    await worker.stop()

    for (const ca of [pem, authority.certificate])
      expect((await verify(shop, [], { SAV_TSA_CA: ca })).broken).toEqual([])
    expect((await verify(shop)).broken).toEqual([])
    expect(await verify(shop, [], { SAV_TSA_CA: other.certificate })).toMatchObject({
      code: 1,
      broken: [{ sequence: 3, problem: expect.stringMatching(/not signed by a configured authority/) }],
    })

    const dir = join(shop.dir, 'preuve')
    await shop.json(['evidence', 'export', '1', '--dir', dir])
    expect((await readdir(dir)).filter((name) => name.startsWith('chaine-'))).toHaveLength(3)
    const steps = (await readFile(join(dir, 'README.txt'), 'utf8')).split('\n')
    const way = steps.slice(steps.findIndex((line) => line.startsWith('cmp '))).join('\n')
    const walk = async () => (await promisify(execFile)('sh', ['-c', way], { cwd: dir })).stdout
    expect(await walk()).toBe('the chain leads to the stamp\n')
    await promisify(execFile)('sha256sum', ['-c', 'SHA256SUMS'], { cwd: dir })
    const digest = /-digest (\S+)/.exec(steps.join('\n'))?.[1] ?? ''
    expect(await authority.verify(await readFile(join(dir, 'horodatage.tsr')), digest)).toBe(true)
    await promisify(execFile)('sed', ['-i', 's/SAV-/SAW-/', join(dir, 'chaine-0000000002.json')])
    expect(await walk()).toBe('broken at chaine-0000000003.json\nthe chain leads to the stamp\n')

    const token = Buffer.from('signed by nobody')
    await inDatabase(shop, (db) => db.updateTable('evidence_stamps').set({ token }).execute())
    expect((await verify(shop)).broken).toEqual([
      expect.objectContaining({ sequence: 3, problem: expect.stringMatching(/not an RFC 3161 response/) }),
    ])
  })
})

it('sav evidence verify ID says that a case that was never closed has nothing to check', async () => {
  const shop = await readyWorkplace()
  await shop.newCase()
  await shop.shows('evidence verify 1', 0, /^SAV-\d{4}-00001 was never closed: there is no evidence/)
  await shop.json(['cases', 'close', '1', '--resolution', 'Charnière remplacée'])
  await shop.json(['cases', 'reopen', '1', '--motif', 'La porte frotte encore'])
  expect((await shop.sav('evidence verify 1')).stdout).toBe('1 entry checked, nothing broken.\n')
})
