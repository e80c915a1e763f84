import { describe, expect } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { it } from '../browser.js'
import { show } from './at-work.js'
import { openPhone, ownCode } from './phone.js'

const hasBrowser = needs('chromium', 'what a phone does where the office does something meanwhile')

/** Counts how often a page writes what is to be sent. */
const countWrites = `{
  const { put } = IDBObjectStore.prototype
  globalThis.written = 0
  IDBObjectStore.prototype.put = function (...given) {
    if (this.name === 'sealed' && given[1][1] === 'outbox') written += 1
    return put.apply(this, given)
  }
}`

describe.runIf(hasBrowser)('a phone', () => {
  it('writes nothing for an answer that changes nothing, nor for being opened', async ({ browser }) => {
    const phone = await openPhone(browser, { prepare: (context) => context.addInitScript(countWrites) })
    const { service } = phone
    const written = () => phone.page.evaluate('written')
    service.refusals.set('/api/v1/planning/1/debut', { status: 401 })
    await phone.page.locator('.visit-link').first().tap()
    await phone.page.locator('.actions .primary').tap()
    await phone.page.getByLabel('Compte rendu').waitFor()
    await show(phone, '/a-envoyer')
    await phone.page.getByText('Attend que vous soyez reconnecté').first().waitFor()
    // It was told, and that it is sent is known before it is.
    expect(await written()).toBe(2)
    service.refusals.clear()
    await phone.page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await phone.page.getByText('Tout est envoyé.').waitFor()
    await expect.poll(written).toBe(4)
    await phone.restart()
    await phone.code(ownCode)
    await phone.page.locator('.visit-link').nth(1).tap()
    await phone.page.locator('.actions .primary').tap()
    await expect.poll(() => service.of('/2/debut').length).toBe(1)
    await expect.poll(written).toBe(3)
  })
})
