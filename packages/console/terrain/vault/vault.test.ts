import { expect, it } from 'vitest'
import { lockByPin, lockBySecret, openByPin, openBySecret, random } from './keys.js'
import { seal, sealJson, sha256Of, unseal, unsealJson } from './sealed.js'

const place = ['usr_1', 'day', ''] as const

it('a vault opens only with its code, and only on its own phone', async () => {
  const { lock, key } = await lockByPin('481516', 1_000)
  const sealed = await sealJson(key, place, { client: 'Alice Durand' })
  const opened = await openByPin(lock, '481516')
  expect(opened && (await unsealJson(opened, place, sealed))).toEqual({ client: 'Alice Durand' })
  expect(await openByPin(lock, '481517')).toBeNull()
  const { lock: elsewhere } = await lockByPin('481516', 1_000)
  expect(await openByPin({ ...lock, deviceKey: elsewhere.deviceKey }, '481516')).toBeNull()
})

it('no script can export a key of a vault', async () => {
  const { lock, key } = await lockByPin('481516', 1_000)
  for (const each of [key, lock.deviceKey, (await openByPin(lock, '481516')) ?? expect.fail()])
    await expect(crypto.subtle.exportKey('raw', each)).rejects.toThrow(/not extractable/)
})

it('a vault opens only with the answer of its passkey', async () => {
  const secret = random(32).buffer
  const { lock, key } = await lockBySecret({ credential: random(16).buffer, question: random(32) }, secret)
  const sealed = await seal(key, place, new Uint8Array([1, 2, 3]))
  const opened = await openBySecret(lock, secret)
  expect(opened && new Uint8Array(await unseal(opened, place, sealed))).toEqual(new Uint8Array([1, 2, 3]))
  expect(await openBySecret(lock, random(32).buffer)).toBeNull()
})

it('a row that was copied to another place in the vault cannot be decrypted', async () => {
  const { key } = await lockByPin('481516', 1_000)
  const sealed = await sealJson(key, place, 'mine')
  await expect(unsealJson(key, ['usr_2', 'day', ''], sealed)).rejects.toMatchObject({ name: 'OperationError' })
})

it('sha256Of computes the SHA-256 of a content', async () => {
  expect(await sha256Of(new TextEncoder().encode('abc'))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})
