import { expect, it } from 'vitest'
import { addressOf, channelsThatReach } from './client-address.js'
import { NoLetter } from './letter-channel.js'

const client = { id: 7, email: null, telephone: '0692 12 34 56', whatsapp_depuis: '2026-01-15T10:30:00.000Z' }

it('WhatsApp uses the number in E.164 form', () => {
  expect(addressOf(client, 'whatsapp')).toBe('+262692123456')
  expect(channelsThatReach(client, ['email', 'whatsapp'])).toEqual(['whatsapp'])
})

it('a channel of the host uses the telephone, without consent to WhatsApp', () => {
  const plain = { ...client, whatsapp_depuis: null }
  expect(addressOf(plain, 'sms')).toBe('+262692123456')
  expect(channelsThatReach(plain, ['email', 'whatsapp', 'sms'])).toEqual(['sms'])
  expect(() => addressOf({ ...plain, telephone: null }, 'sms')).toThrow('no telephone number on file for client 7')
})

it.each([
  ['without consent', { whatsapp_depuis: null }],
  ['without a number', { telephone: null }],
  ['with a number that cannot be dialled', { telephone: '06 12 34 56 7' }],
])('WhatsApp does not reach a client %s', (_, changes) => {
  expect(() => addressOf({ ...client, ...changes }, 'whatsapp')).toThrow(NoLetter)
  expect(channelsThatReach({ ...client, ...changes }, ['whatsapp'])).toEqual([])
})
