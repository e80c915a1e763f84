import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../test/needs.js'
import { startBucket, type TestBucket } from '../../../test/s3-server.js'
import { tcpRelay } from './chaos/tcp-relay.js'
import { removalsDue } from './file-removals.js'
import { jpeg, png } from './images.js'
import { call, local, readyWorkplace, type Workplace } from './workplace.js'

const settingsOf = ({ endpoint, bucket, accessKeyId, secretAccessKey }: TestBucket) => ({
  SAV_FILES: `s3://${bucket}/sav`,
  SAV_S3_ENDPOINT: endpoint,
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
})

const photoOf = (content: Buffer) => `data:image/jpeg;base64,${content.toString('base64')}`
const another = Buffer.concat([jpeg, Buffer.from('another')])
const create = { client_id: 1, description: 'La porte du four ne ferme plus', photos: [photoOf(jpeg)] }

async function closedCase(shop: Workplace): Promise<void> {
  await shop.write('avant.jpg', jpeg)
  await shop.write('apres.jpg', another)
  await shop.write('s.png', png)
  const words = ['--client-id', '1', '--description', 'La porte du four ne ferme plus']
  await shop.json(['cases', 'create', ...words, '--photo', 'avant.jpg'])
  const files = ['--photo-apres', 'apres.jpg', '--signature', 's.png']
  await shop.json(['cases', 'close', '1', '--resolution', 'Charnière remplacée', ...files])
}

const whole = { checked: 1, broken: [] }

describe.runIf(needs('versitygw', 'SAV_FILES in a bucket, with its server away and processes killed'))(
  'SAV_FILES in a bucket',
  () => {
    it('serves photos; during an outage, calls get 503 and doctor reports it; no key is revealed', async () => {
      await using server = await startBucket()
      const shop = await readyWorkplace(settingsOf(server))
      const key = await shop.newKey()
      const service = shop.serve()
      const url = await service.url()
      const made = await call(url, key, 'POST', '/api/v1/sav', create)
      expect(made.status).toBe(201)
      const detail = await call(url, key, 'GET', `/api/v1/sav/${made.body.data.id}`)
      const photo = `${url}${detail.body.data.photos[0].url}`
      const get = () => fetch(photo, { headers: { authorization: `Bearer ${key}` } })
      const served = await get()
      expect([served.status, Buffer.from(await served.arrayBuffer())]).toEqual([200, jpeg])
      expect((await shop.json<{ files: string }>('doctor')).files).toBe('s3://photos/sav/')

      await server.kill()
      const away = await get()
      expect([away.status, Number(away.headers.get('retry-after'))]).toEqual([503, 5])
      const refused = await call(url, key, 'POST', '/api/v1/sav', create)
      expect(refused).toMatchObject({ status: 503, body: { success: false } })
      expect((await call(url, key, 'POST', '/api/v1/sav', { ...create, photos: [] })).status).toBe(201)
      const doctor = await shop.sav('doctor --json')
      expect([doctor.code, JSON.parse(doctor.stdout).problems]).toEqual([
        1,
        [expect.stringMatching(/^The files cannot be listed. s3:\/\/photos cannot be used: .*ECONNREFUSED/)],
      ])
      await server.start()
      expect((await call(url, key, 'POST', '/api/v1/sav', create)).status).toBe(201)
      const { stdout, stderr } = await service.kill('SIGTERM')
      const wrong = await shop.sav('doctor', { AWS_SECRET_ACCESS_KEY: 'guessed by somebody' })
      expect(wrong.stdout).toMatch(/it answered 403 SignatureDoesNotMatch/)
      for (const text of [stdout, stderr, doctor.stdout, wrong.stdout])
        expect(text).not.toMatch(/nobody may read in a log|guessed by|AKTEST/)
    })

    it('is left in place by a backup and a restore; its files can be moved to and from a directory', async () => {
      await using server = await startBucket()
      const bucket = settingsOf(server)
      const shop = await readyWorkplace()
      await closedCase(shop)
      const move = (from: string, to: string, env = bucket) =>
        shop.sav(['files', 'move', '--from', from, '--to', to, '--json'], { ...env, SAV_FILES: '' })
      expect(await move('database', 'photos')).toMatchObject({ code: 0 })
      const lost = await move('photos', 's3://photos/sav', { ...bucket, AWS_SECRET_ACCESS_KEY: 'wrong' })
      expect([lost.code, lost.stderr]).toEqual([5, expect.stringContaining('SignatureDoesNotMatch')])
      const moved = await move('photos', 's3://photos/sav')
      expect(JSON.parse(moved.stdout)).toMatchObject({ files: 3, faulty: [] })
      const left = readdirSync(join(shop.dir, 'photos'), { recursive: true, withFileTypes: true })
      expect(left.filter((entry) => entry.isFile())).toEqual([])
      expect(await shop.json('evidence verify --files all', bucket)).toEqual(whole)

      const made = await shop.json('backup --to backup.db', bucket)
      expect(made).toMatchObject({ files: 0, files_elsewhere: 3, missing_files: 0, broken: [] })
      const restored = await shop.sav('restore backup.db --to sqlite:restored/sav.db', bucket)
      expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('are still at s3://photos/sav/') })
      const copied = await shop.sav('copy --from sqlite:restored/sav.db --to sqlite:copy/sav.db', bucket)
      expect(copied).toMatchObject({ code: 0, stdout: expect.stringContaining('stay at s3://photos/sav/') })
      const key = { SAV_SECRET_KEY_FILE: join(shop.dir, 'sav-data/secret.key') }
      const there = { ...bucket, ...key, SAV_DATABASE: 'sqlite:copy/sav.db' }
      expect(await shop.json('evidence verify --files all', there)).toEqual(whole)

      expect(JSON.parse((await move('s3://photos/sav', 'database')).stdout)).toMatchObject({ files: 3 })
      expect(await shop.json('evidence verify --files all')).toEqual(whole)
      await shop.shows('backup --to gone.db', 1, /3 files of the store missing/, there)
    })

    it('keeps no upload of a process that was killed before its commit', async () => {
      await using server = await startBucket()
      const relay = await tcpRelay(new URL(server.endpoint))
      const shop = await readyWorkplace({ ...settingsOf(server), SAV_S3_ENDPOINT: relay.url.origin })
      const service = shop.start('serve --port 0 --no-worker', local)
      const url = await service.url()
      const key = await shop.newKey()
      const inBucket = () =>
        readdirSync(join(server.folder, 'data/photos'), { recursive: true }).filter((name) =>
          /[0-9a-f]{64}$/.test(`${name}`),
        )
      relay.keepAnswers()
      const cut = call(url, key, 'POST', '/api/v1/sav', create).catch(() => 'cut off')
      await expect.poll(inBucket).toHaveLength(1)
      await service.kill('SIGKILL')
      expect(await cut).toBe('cut off')
      expect(await shop.json('cases list')).toEqual([])
      const direct = settingsOf(server)
      expect(await shop.json('purge --yes', direct)).toMatchObject({ files: 0, files_found: 0 })
      expect(inBucket()).toHaveLength(1)
      expect(await removalsDue(shop)).toBe(1)
      expect(await shop.json('purge --yes', direct)).toMatchObject({ files: 1 })
      expect(inBucket()).toEqual([])
    })
  },
)
