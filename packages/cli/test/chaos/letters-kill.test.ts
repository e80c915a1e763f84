import { describe, expect, it } from 'vitest'
import { mailServer } from '../mail-server.js'
import { stores } from '../stores.js'
import { call, local, readyWorkplace } from '../workplace.js'
import { isFullCount } from './full-count.js'

const visits = 60
const noon = Date.UTC(2031, 4, 6, 10)

describe.runIf(isFullCount).each(stores)('on %s', (_, settings) => {
  it('waiting letters survive kills of the service, before they are due and while they are written', async () => {
    const mail = await mailServer()
    const env = { ...local, ...mail.settings, SAV_RDV_LETTER_DELAY: '2s', SAV_LOG_LEVEL: 'warn', ...(await settings()) }
    const shop = await readyWorkplace(env)
    await shop.json(['poseurs', 'add', '--nom', 'Karim Benali'])
    await shop.json('clients update 1 --email helene@durand.example')
    await shop.json('accounts update default --confirmation-rdv')
    const key = await shop.newKey()
    const serve = () => shop.start('serve --port 0')
    let service = serve()
    const url = await service.url()
    const restart = async () => {
      await service.kill('SIGKILL')
      service = serve()
      await service.url()
    }

    for (let visit = 0; visit < visits; visit += 1) {
      const debut = new Date(noon + visit * 86_400_000).toISOString()
      const body = { poseur_id: 1, client_id: 1, debut, duree_minutes: 60 }
      expect((await call(url, key, 'POST', '/v1/planning/rdv', body)).status).toBe(201)
    }
    await restart()
    await mail.received(1)
    await restart()
    await mail.received(visits)

    // Each visit has exactly one letter, whichever process wrote it.
    const history = await shop.json<{ event: string }[]>('webhooks history --limit 200')
    expect(history.filter(({ event }) => event === 'rdv.confirmation')).toHaveLength(visits)
  }, 120_000)
})
