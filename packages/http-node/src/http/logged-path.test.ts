import { expect, it } from 'vitest'
import { loggedPath } from './logged-path.js'

const mixed = (length: number) => 'aB3'.padEnd(length, 'x')

it.each([
  ['/api/v1/savv/12', '/api/v1/savv/12'],
  [`/a/${mixed(31)}/b`, `/a/${mixed(31)}/b`],
  [`/a/${mixed(32)}/b`, '/a/…/b'],
  [`/a/${'x'.repeat(40)}/b`, `/a/${'x'.repeat(40)}/b`],
  [`/a/${'x'.repeat(31)}.${mixed(31)}`, `/a/${'x'.repeat(31)}.${mixed(31)}`],
  ['/a/whsec_1', '/a/…'],
  ['/a/%77hsec_1', '/a/…'],
  ['/a/zoe:secret@b', '/a/…'],
  ['/a/zoe@secret:b', '/a/zoe@secret:b'],
])('%s is logged as %s', (path, logged) => {
  expect(loggedPath(path)).toBe(logged)
})

it('an address of 16,384 letters, or of colons, is cut', () => {
  for (const sign of ['x', ':', '%']) expect(loggedPath(`/${sign.repeat(16_384)}`)).toBe(`/${sign.repeat(199)}`)
})
