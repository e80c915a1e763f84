import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createSav } from '@sav/http-node'
import { openPostgres } from '@sav/storage-kysely/postgres'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import { expect, it } from 'vitest'
import { emptyDatabase } from './stores.js'
import { workplace } from './workplace.js'

it.each(['sqlite', 'postgres'] as const)(
  'a store on %s of a program without features is examined, backed up and restored, and gets no tables of features',
  async (kind) => {
    const shop = await workplace()
    const file = join(shop.dir, 'program.db')
    const url = kind === 'sqlite' ? `sqlite:${file}` : await emptyDatabase()
    const open = () => (kind === 'sqlite' ? openSqlite(file, { prefix: 'sav_' }) : openPostgres(url, { schema: 'sav' }))
    const secretKey = randomBytes(32)
    const env = { SAV_SECRET_KEY: secretKey.toString('base64') }
    const storage = await open()
    await storage.migrate()
    const sav = createSav({ storage, secretKey, sends: false })
    await sav.start()
    await sav.close()

    const run = async (...command: string[]) => {
      const { code, stderr } = await shop.sav(command, env)
      expect([command, code, stderr]).toEqual([command, 0, expect.any(String)])
    }
    const place = ['--database', url, ...(kind === 'sqlite' ? ['--prefix', 'sav_'] : ['--schema', 'sav'])]
    await run('doctor', ...place)
    await run('backup', '--to', 'backup.db', ...place)
    expect(await storage.featuresHeld()).toEqual([])
    await storage.close()

    const again = kind === 'sqlite' ? `sqlite:${join(shop.dir, 'again.db')}` : await emptyDatabase()
    await run('restore', 'backup.db', '--to', again)
    const restored = kind === 'sqlite' ? await openSqlite(join(shop.dir, 'again.db')) : await openPostgres(again)
    expect(await restored.featuresHeld()).toEqual([])
    await restored.close()
  },
)
