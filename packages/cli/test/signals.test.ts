import { existsSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../test/whole/opening.js'
import { doctorOf, started } from './drill.js'
import { call, local, readyWorkplace } from './workplace.js'

interface EndpointOutput {
  readonly id: string
  readonly sante: { readonly etat: string; readonly echecs_consecutifs: number; readonly en_attente: number }
}

describe('a service', () => {
  it('whose receiver and mail server are down reports this everywhere, and otherwise works', async () => {
    const shop = await readyWorkplace()
    const away = { SAV_SMTP_URL: 'smtp://127.0.0.1:9', SAV_MAIL_FROM: 'sav@cuisines.example' }
    // Nothing listens on port 9.
    const { id } = await shop.json<EndpointOutput>('webhooks add http://127.0.0.1:9/hooks --all-events', local)
    await shop.json('clients update 1 --email helene@durand.example')
    const { service, readiness, metrics, metricsUrl } = await started(shop, away)
    await shop.newCase('La porte du meuble bas ne ferme plus.')
    await shop.json(['cases', 'close', '1', '--resolution', 'Charnière remplacée, porte réglée.'], away)

    const health = async () => shop.json<EndpointOutput>(['webhooks', 'health', id])
    await expect.poll(async () => (await health()).sante.echecs_consecutifs).toBe(2)
    expect((await health()).sante).toMatchObject({
      etat: 'en_echec',
      derniere_reponse: { statut: null, erreur: 'connection refused', code: 'connection_refused' },
      en_attente: 2,
      part_reussie: 0,
    })
    expect((await shop.json<EndpointOutput[]>('webhooks list')).map(({ sante }) => sante.etat)).toEqual(['en_echec'])
    await shop.shows('webhooks list', 0, /^wh_\w+ +en_echec /m)
    const letters = () => shop.json<{ channel: string; last_error_code: string | null }[]>('webhooks history')
    await expect
      .poll(async () => (await letters()).find(({ channel }) => channel === 'email')?.last_error_code)
      .toBe('mail_away')

    const { code, said } = await doctorOf(shop, away)
    expect([code, said]).toMatchObject([
      0,
      {
        waiting_letters: 1,
        troubled_receivers: [{ id, sante: { etat: 'en_echec' } }],
        warnings: expect.arrayContaining([
          expect.stringMatching(
            `^Receiver ${id} has failed since .* \\(Europe/Paris\\) \\(connection refused; 2 wait\\)`,
          ),
          expect.stringMatching(/^The mail server of SAV_SMTP_URL cannot be reached/),
        ]),
      },
    ])
    await shop.shows('doctor', 0, /^No problem, but \d warnings?\.$/m, local)
    const told = await metrics()
    for (const line of ['sav_endpoints{state="en_echec"} 1', 'sav_letters_waiting 1', 'sav_ready 1'])
      expect(told).toContain(`\n${line}\n`)
    const top = await shop.sav(['top', '--metrics', metricsUrl], local, { stopAtOnce: true })
    expect(top.stdout).toMatch(
      /^default +127\.0\.0\.1:9 +has failed since .*connection refused.*Nothing listens there/m,
    )
    expect(await readiness()).toBe(200)
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 })
  })

  it('whose store’s volume is missing is not ready until it is back; doctor warns of a missing backup', async () => {
    const shop = await readyWorkplace()
    const { readiness, metrics } = await started(shop)
    await shop.json(['backup', '--to', join(shop.dir, 'sav-data', 'b.db')])
    expect((await doctorOf(shop)).said).toMatchObject({ last_backup: join(shop.dir, 'sav-data', 'b.db'), problems: [] })
    const [volume, elsewhere] = [join(shop.dir, 'sav-data'), join(shop.dir, 'unmounted')]
    await rename(volume, elsewhere)
    await expect.poll(readiness).toBe(503)
    expect(await metrics()).toMatch(/^sav_ready 0$/m)
    expect((await doctorOf(shop)).said.problems).toEqual([expect.stringMatching(/^There is no store at /)])
    await rename(elsewhere, volume)
    await expect.poll(readiness).toBe(200)
    // Now only the backup is missing.
    await rename(join(volume, 'b.db'), elsewhere)
    expect((await doctorOf(shop)).said).toMatchObject({
      ...{ ok: true, problems: [] },
      warnings: expect.arrayContaining([expect.stringMatching(/^The last backup, .*b\.db, is missing: was it moved/)]),
    })
    // As after an unmount, the directory remains, without its files.
    const file = join(volume, 'sav.db')
    await rename(file, elsewhere)
    await expect.poll(readiness).toBe(503)
    await expect.poll(metrics).toMatch(/^sav_free_bytes\{path="store"\} 0$/m)
    expect(existsSync(file)).toBe(false)
  })

  it('whose database has a corrupt page answers 503 only to calls that read it; commands say what to do', async () => {
    const shop = await readyWorkplace()
    const key = await shop.newKey()
    await shop.newCase('Le tiroir du haut est rayé.')
    const file = join(shop.dir, 'sav-data', 'sav.db')
    await corrupt(file, 'case_history')

    const { service, url, readiness, metrics } = await started(shop)
    expect(await readiness()).toBe(200)
    const get = async (path: string) => (await call(url, key, 'GET', path)).status
    expect([await get('/api/v1/sav'), await get('/api/v1/sav/1'), await get('/api/v1/clients')]).toEqual([
      200, 503, 200,
    ])
    expect(await readiness()).toBe(503)
    expect(await metrics()).toMatch(/^sav_ready 0$/m)
    const { stderr } = await service.kill('SIGTERM')
    expect(stderr).toContain(sentence(file))
    expect(stderr).not.toMatch(/"stack"/)

    const doctor = await doctorOf(shop)
    expect([doctor.code, doctor.said.problems]).toEqual([1, [sentence(file)]])
    for (const args of [
      ['cases', 'show', '1'],
      ['backup', '--to', join(shop.dir, 'b.db')],
    ])
      expect([args, await shop.sav(args)]).toMatchObject([args, { code: 1, stderr: `${sentence(file)}\n` }])
    expect(await shop.sav('cases list')).toMatchObject({ code: 0 })
  })
})

const sentence = (file: string) =>
  `The store is damaged at ${file}: stop, then restore the last backup (sav restore BACKUP --to sqlite:PATH).`

/** Overwrites the root page of a table. */
async function corrupt(file: string, table: string): Promise<void> {
  const database = new DatabaseSync(file)
  database.exec('pragma wal_checkpoint(TRUNCATE)')
  const found = database
    .prepare('select rootpage, page_size from sqlite_master, pragma_page_size where name = ?')
    .get(table)
  database.close()
  const [root, size] = [Number(found?.['rootpage']), Number(found?.['page_size'])]
  const written = await open(file, 'r+')
  await written.write(Buffer.alloc(size, 0xa5), 0, size, (root - 1) * size)
  await written.close()
}

it('sav doctor warns for a day after the process reached a limit, and says what to raise', async () => {
  const shop = await readyWorkplace()
  const warningsWhenMet = async (hoursAgo: number) => {
    const storage = await openSqlite(`${shop.dir}/sav-data/sav.db`)
    const at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString()
    await storage.transaction((tx) => tx.facts.set('own_limit', JSON.stringify({ limit: 'EMFILE', at })))
    await storage.close()
    const { code, said } = await doctorOf(shop)
    expect([code, said.ok]).toEqual([0, true])
    return said.warnings.filter((warning) => warning.includes('EMFILE'))
  }
  expect(await warningsWhenMet(23)).toEqual([
    expect.stringMatching(
      /^On .*, webhooks had to wait \(EMFILE\): this process has too many open files: raise .*LimitNOFILE/,
    ),
  ])
  expect(await warningsWhenMet(25)).toEqual([])
})

it('sav doctor explains overdue deliveries by a missing worker, or by the receivers', async () => {
  // Nothing listens on port 9.
  const shop = await readyWorkplace({ ...local, SAV_RETRY_SCHEDULE: '0s,1h' })
  const { id } = await shop.json<EndpointOutput>('webhooks add http://127.0.0.1:9/hooks --all-events')
  const dueFor = async (minutes: number) => {
    await shop.newCase('La porte du meuble bas ne ferme plus.')
    const storage = await openSqlite(`${shop.dir}/sav-data/sav.db`)
    const next_attempt_at = new Date(Date.now() - minutes * 60_000).toISOString()
    await storage.db.updateTable('delivery_queue').set({ next_attempt_at }).execute()
    await storage.close()
    return (await doctorOf(shop)).said.warnings.filter((warning) => !/backup|^Receiver wh_/.test(warning))
  }
  expect(await dueFor(2)).toEqual([
    expect.stringMatching(/^A delivery has been due since .*, \d+ s ago, and no worker took it/),
  ])
  const worker = await shop.workHere()
  await expect
    .poll(async () => (await shop.json<EndpointOutput>(['webhooks', 'health', id])).sante.etat)
    .toBe('en_echec')
  await worker.stop()
  expect(await dueFor(2)).toEqual([])
  expect(await dueFor(20)).toEqual([
    expect.stringMatching(
      /^Deliveries have waited for more than 15 minutes for 1 receiver\. .*webhooks health --all-accounts/,
    ),
  ])
})
