import { describe, expect, it, onTestFinished } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { tcpRelay } from '../../../cli/test/chaos/tcp-relay.js'
import { selfSigned } from '../../../http-node/test/receivers.js'
import { pages } from '../browser.js'
import { FieldService } from './field-service.js'
import { ownCode, today } from './phone.js'
import { openWebKit } from './webkit.js'

const proof = 'that a visit can be told of in Safari’s engine'
const hasWebKit = needs('WebKitWebDriver', proof) && needs('Xvfb', proof)

describe.runIf(hasWebKit)('a phone with Safari’s engine', () => {
  it('tells of a visit without network, opens again while it writes, and sends once', async () => {
    const service = new FieldService(pages, today())
    await service.listen()
    onTestFinished(() => service.close())
    // Without https this browser keeps no session.
    const { url } = await tcpRelay(new URL(service.url), selfSigned)
    const app = `https://${url.host}/app/terrain`
    const phone = await openWebKit()
    await phone.open(`${app}#sav_inv_usr_bruno`)
    await phone.shows('.keypad')
    await phone.type(ownCode)
    await phone.shows('body', 'Once more')
    await phone.type(ownCode)
    await phone.shows('.visits li')

    service.fate = ({ path }) => (path.startsWith('/api/') ? 'request lost' : 'arrives')
    await phone.click('.visit-link')
    await phone.click('.actions .primary')
    await phone.click('.choice', 'In part')
    await phone.type('Charnière du bas à commander.', 'textarea')
    await phone.click('.actions .primary')
    await phone.shows('.mark.ahead')
    // A page that is left reads and writes what waits, and the next one as well: neither may wait for the other.
    for (let times = 0; times < 3; times += 1) {
      await phone.open(app)
      await phone.shows('.keypad')
      await phone.type(ownCode)
      await phone.shows('.mark.ahead')
    }
    expect(service.recorded).toEqual([])
    service.fate = () => 'arrives'
    await phone.open(app)
    await phone.shows('.keypad')
    await phone.type(ownCode)
    await expect
      .poll(() => service.recorded.map(({ path }) => path))
      .toEqual(['/api/v1/planning/1/debut', '/api/v1/planning/1/intervention'])
  })
})
