import { describe, expect, it } from 'vitest'
import { CommandError } from '../process/command-error.js'
import { declaredSettings } from './declared-settings.js'
import { readSettings } from './settings.js'

const secret = 'hunter2'
const settings = Object.values(declaredSettings).map(({ variable }) => variable)
/**
 * Addresses with a password as people mistype them: without a scheme, with one slash, with a character that must be
 * encoded.
 */
const mistyped = [
  `postgres:/sav:${secret}@db.example/sav`,
  `postgres//sav:${secret}@db.example/sav`,
  `postgres:sav:${secret}@db.example`,
  `sav:${secret}@smtp.example:587`,
  `smtp:sav:${secret}@smtp.example`,
  `smtp:\\\\sav:${secret}@smtp.example`,
  `smtp://sav:${secret}`,
  `postgres://sav:${secret}/pw@db.example/sav`,
  `mysql://db.example/sav?user=sav&password=${secret}`,
  `host=db.example user=sav password=${secret}`,
  `host=db.example pwd='${secret}'`,
  `https//proxy.example?token=${secret}`,
  `${secret} `,
]

describe('a setting that does not parse', () => {
  it.each(settings.map(({ name }) => name))('is refused without showing what may be a password (%s)', (name) => {
    for (const text of mistyped) {
      try {
        readSettings({ env: { [name]: text }, cwd: '/nowhere' })
      } catch (error) {
        if (!(error instanceof CommandError)) throw error
        const { message, details } = error
        expect(message).toContain(name)
        // A value of a single word cannot be an address. It is shown if the setting holds no secret.
        if (text === `${secret} ` && settings.find((each) => each.name === name)?.holds === 'nothing secret') continue
        expect(`${message} ${JSON.stringify(details)}`, text).not.toContain(secret)
      }
    }
  })

  it('is shown if it cannot contain a secret', () => {
    expect(() => readSettings({ env: { SAV_PORT: '80a' }, cwd: '/nowhere' })).toThrow(
      'SAV_PORT: found "80a"; allowed: ',
    )
  })
})

describe('a setting that parses', () => {
  it.each([
    ['SAV_DATABASE', `postgres://sav:${secret}@db.example/sav`],
    ['SAV_DATABASE', `postgres://db.example/sav?user=sav&password=${secret}`],
    ['SAV_TSA_URL', `https://tsa.example/?token=${secret}`],
    ['SAV_WEBHOOK_PROXY', `http://sav:${secret}@proxy.example`],
    ['SAV_PUBLIC_URL', `https://sav.example/?access_token=${secret}&v=1`],
    ['SAV_TSA_URL', `https://tsa.example/?api_key=${secret}`],
  ])('is shown by sav doctor without its password (%s)', (name, text) => {
    const { inForce, database } = readSettings({ env: { [name]: text }, cwd: '/nowhere' })
    expect(JSON.stringify([inForce, database.name])).not.toContain(secret)
  })
})
