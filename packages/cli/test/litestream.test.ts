import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { needs } from '../../../test/needs.js'
import { startBucket } from '../../../test/s3-server.js'
import { call, readyWorkplace, type Workplace, workplace } from './workplace.js'

const run = promisify(execFile)
const hasLitestream = needs('litestream', 'a store that is restored from what Litestream copied beside the service')
const hasBucket = needs('versitygw', 'a store that is restored from what Litestream copied to a bucket')
const configFile = new URL('../../../deploy/litestream/litestream.yml', import.meta.url)

const total = async (shop: Workplace) => (await shop.json<unknown[]>('cases list --all')).length

/** The shipped configuration with other paths, and the environment of Litestream. */
interface Litestream {
  readonly config: string
  readonly env: NodeJS.ProcessEnv
}

const configured = (shop: Workplace, shipped: string) =>
  shop.write('litestream.yml', shipped.replace('/var/lib/sav/sav-data/sav.db', join(shop.dir, 'sav-data/sav.db')))

async function toDirectory(shop: Workplace): Promise<Litestream> {
  const shipped = await readFile(configFile, 'utf8')
  return { config: await configured(shop, shipped.replace('/backup/sav', join(shop.dir, 'replica'))), env: process.env }
}

/** Replicates to a bucket, by uncommenting lines of the shipped configuration. */
async function toBucket(shop: Workplace): Promise<Litestream> {
  const { accessKeyId, secretAccessKey, bucket, endpoint, ...rest } = await startBucket()
  onTestFinished(() => rest[Symbol.asyncDispose]())
  const shipped = (await readFile(configFile, 'utf8'))
    .replace(/^ +path: \/backup.*\n/m, '')
    .replaceAll(/^( +)# (?=[\w-]+: )/gm, '$1')
    .replace('s3://backups/sav', `s3://${bucket}/sav`)
    .replace('https://s3.example', endpoint)
  const env = { ...process.env, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey }
  return { config: await configured(shop, shipped), env }
}

function replicate({ config, env }: Litestream): ChildProcess {
  const started = spawn('litestream', ['replicate', '-config', config], { stdio: 'ignore', env })
  onTestFinished(() => void started.kill('SIGKILL'))
  return started
}

/** A workplace with the store as Litestream can restore it now; null if it cannot yet. */
async function restored(from: Workplace, { config, env }: Litestream): Promise<Workplace | null> {
  const shop = await workplace()
  await shop.json('init')
  const file = join(shop.dir, 'sav-data/sav.db')
  await rm(file)
  await writeFile(join(shop.dir, 'sav-data/secret.key'), await readFile(join(from.dir, 'sav-data/secret.key')))
  const arguments_ = ['restore', '-config', config, '-o', file, join(from.dir, 'sav-data/sav.db')]
  const isThere = await run('litestream', arguments_, { env }).then(
    () => true,
    () => false,
  )
  return isThere ? shop : null
}

const places = [['a directory', toDirectory], ...(hasBucket ? ([['a bucket', toBucket]] as const) : [])] as const

it.runIf(hasLitestream).for(places)(
  'a copy that Litestream made in %s is consistent, even after it and the service were killed',
  async ([, place]) => {
    const shop = await readyWorkplace()
    const key = await shop.newKey()
    const service = shop.serve()
    const url = await service.url()
    const litestream = await place(shop)
    const copying = replicate(litestream)
    const description = 'La porte ne ferme plus.'
    const create = async () => (await call(url, key, 'POST', '/api/v1/sav', { client_id: 1, description })).status
    const many = (count: number) => Promise.all(Array.from({ length: count }, create))

    expect(new Set(await many(40))).toEqual(new Set([201]))
    const resolution = 'Charnière remplacée.'
    expect((await call(url, key, 'POST', '/api/v1/sav/1/cloturer', { resolution })).status).toBe(200)
    // Waits for the sync that contains the close.
    await expect
      .poll(
        async () => {
          const copy = await restored(shop, litestream)
          return copy && (await copy.json<{ checked: number }>('evidence verify')).checked
        },
        { interval: 500 },
      )
      .toBe(1)
    const meanwhile = many(100).catch(() => [])
    await service.kill()
    copying.kill('SIGKILL')
    await meanwhile

    const copy = await restored(shop, litestream)
    if (copy === null) throw new Error('nothing was restored')
    expect(await total(copy)).toBeGreaterThanOrEqual(40)
    expect(await copy.sav('doctor')).toMatchObject({ code: 0 })
    expect(await copy.json('evidence verify')).toEqual({ checked: 1, broken: [] })
  },
)
