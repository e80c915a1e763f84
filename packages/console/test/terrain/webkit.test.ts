import { describe, expect, it } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { tcpRelay } from '../../../cli/test/chaos/tcp-relay.js'
import { selfSigned } from '../../../http-node/test/receivers.js'
import { openFieldShop } from './field-shop.js'
import { ownCode } from './phone.js'
import { openWebKit } from './webkit.js'

const proof = 'that a visit can be reported in Safari’s engine'
const hasWebKit = needs('WebKitWebDriver', proof) && needs('Xvfb', proof)

describe.runIf(hasWebKit)('a phone with Safari’s engine', () => {
  it('reports a visit without network, reopens during a write, and sends the report once', async () => {
    const service = await openFieldShop({
      // This browser keeps a session only over https.
      async reachedBy(address) {
        const { url } = await tcpRelay(new URL(address), selfSigned)
        return `https://${url.host}`
      },
    })
    const app = `${service.url}/app/terrain`
    const phone = await openWebKit()
    await phone.open(`${app}#${await service.invite(service.bruno.person)}`)
    await phone.shows('.keypad')
    await phone.type(ownCode)
    await phone.shows('body', 'Once more')
    await phone.type(ownCode)
    await phone.shows('.visits li')

    service.proxy.cutOf = (call) => (call.includes(' /api/') ? 'before' : null)
    await phone.click('.visit-link')
    await phone.click('.actions .primary')
    await phone.click('.choice', 'In part')
    await phone.type('Charnière du bas à commander.', 'textarea')
    await phone.click('.actions .primary')
    await phone.shows('.mark.ahead')
    // The previous page and the next one use the outbox at the same time. Neither may block the other.
    for (let times = 0; times < 3; times += 1) {
      await phone.open(app)
      await phone.shows('.keypad')
      await phone.type(ownCode)
      await phone.shows('.mark.ahead')
    }
    expect(service.done).toEqual([])
    service.proxy.cutOf = () => null
    await phone.open(app)
    await phone.shows('.keypad')
    await phone.type(ownCode)
    await expect
      .poll(() => service.done.map(({ path }) => path))
      .toEqual(['/api/v1/planning/1/debut', '/api/v1/planning/1/intervention'])
  })
})
