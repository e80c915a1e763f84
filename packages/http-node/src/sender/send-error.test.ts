import { failures, hintOfFailure } from '@sav/core/adapter'
import { errors } from 'undici'
import { describe, expect, it } from 'vitest'
import { NameNotFoundError } from '../names/names.js'
import { AddressRefusedError } from './address-guard.js'
import { knownErrors, sendErrorOf } from './send-error.js'

const withCode = (code: string) => Object.assign(new Error('10.1.2.3 said no'), { code })

describe('every error of the sender', () => {
  it.each([
    ...Object.keys(knownErrors).map((code) => [code, withCode(code)] as const),
    ['a refused address', new AddressRefusedError()] as const,
    ['an unknown name', new NameNotFoundError('receiver.example')] as const,
    ['not HTTP', new errors.HTTPParserError('bad')] as const,
    ['another of TLS', withCode('ERR_SSL_WRONG_VERSION_NUMBER')] as const,
    ['an unknown one', withCode('EWHATEVER')] as const,
    ['no error at all', 'thrown text'] as const,
  ])('has one of our codes, a sentence and a hint: %s', (_, error) => {
    const { code } = sendErrorOf(error)
    expect(code).toMatch(/^[a-z][a-z_]+$/)
    expect(failures[code].words).not.toMatch(/\d|ECONN|UND_ERR/)
    expect(hintOfFailure(code)).not.toBeNull()
  })

  it.each([
    ['ECONNREFUSED', 'connection_refused'],
    ['EHOSTUNREACH', 'host_unreachable'],
    ['CERT_HAS_EXPIRED', 'tls_expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_other_name'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_handshake'],
  ])('%s has the code %s', (code, expected) => {
    expect(sendErrorOf(withCode(code)).code).toBe(expected)
  })
})
