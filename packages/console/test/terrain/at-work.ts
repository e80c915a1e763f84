import { expect } from 'vitest'
import { ownCode, type Phone, rowsOf } from './phone.js'

export const text = 'Charnière du bas à commander.'

/** Begins a visit, or continues it. @param at the position of the visit in the day */
export async function begin({ page }: Pick<Phone, 'page'>, at = 0): Promise<void> {
  await page.locator('.visit-link').nth(at).tap()
  await page.locator('.actions .primary').tap()
}

/** Opens a visit's report, with a saved text in it. */
export async function atWork(phone: Phone): Promise<void> {
  await begin(phone)
  await phone.page.locator('.choice', { hasText: 'En partie' }).tap()
  await phone.page.getByLabel('Compte rendu').fill(text)
  await expect.poll(() => rowsOf(phone, 'draft')).toBe(1)
}

export const before = (phone: Phone) => phone.page.getByRole('button', { name: /photo.: Avant/ })

/** Delays the reduction of photos until `go()` is called on the page. */
export const hold = ({ page }: Phone, what: 'createImageBitmap' | 'Blob.prototype.arrayBuffer') =>
  page.evaluate(`{
    const held = ${what}
    const released = new Promise((go) => { globalThis.go = go })
    globalThis.holds = new Promise((isHeld) => {
      ${what} = function (...given) {
        isHeld()
        return released.then(() => held.apply(this, given))
      }
    })
    void 0
  }`)

/** Delays the storing of drafts until `go()` is called on the page. */
export const holdDrafts = ({ page }: Phone) =>
  page.evaluate(`{
    const { encrypt } = SubtleCrypto.prototype
    const released = new Promise((go) => { globalThis.go = go })
    SubtleCrypto.prototype.encrypt = async function (by, ...given) {
      if (new TextDecoder().decode(by.additionalData).includes('"draft"')) await released
      return encrypt.call(this, by, ...given)
    }
  }`)

/** Shows another screen without a page load. */
export const show = ({ page }: Phone, screen: string) =>
  page.evaluate(`history.pushState(null, '', '/app/terrain${screen}'); dispatchEvent(new PopStateEvent('popstate'))`)

/** Locks the phone, and unlocks it again. */
export async function lockedBetween(phone: Phone, meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
  await show(phone, '/moi')
  const lock = phone.page.getByRole('button', { name: 'Verrouiller' })
  await lock.tap()
  await phone.page.locator('.keypad').waitFor()
  await meanwhile()
  await phone.code(ownCode)
  await lock.waitFor()
}
