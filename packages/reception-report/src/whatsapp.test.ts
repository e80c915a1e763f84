import type { Letter } from '@sav/core/ports'
import { afterEach, describe, expect, test } from 'vitest'
import { type GraphAnswer, graphApi, graphError, json } from '../test/graph-api.js'
import { invitationLetter, noticeLetter, rdvLetter, reportLetter } from '../test/letters.js'
import { rawServer } from '../test/smtp-servers.js'
import { createWhatsAppCarrier, type WhatsAppOptions } from './whatsapp.js'

const token = 'EAAJB-the-secret-token'
const to = '+33612345678'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function setup(options: Partial<WhatsAppOptions> = {}) {
  const api = await graphApi()
  cleanups.push(() => api.close())
  const carrier = createWhatsAppCarrier({
    token,
    phoneId: '106540352242922',
    template: 'pv_reception',
    api: api.url,
    ...options,
  })
  cleanups.push(() => carrier.close())
  let intentions = 0
  const carry = (letter: Letter = reportLetter({ to })) => carrier.carry(letter, async () => void intentions++)
  return { api, carrier, carry, intentions: () => intentions }
}

describe('a report', () => {
  test('is uploaded, and sent as the header of the template', async () => {
    const { api, carry, intentions } = await setup()
    const result = await carry()
    expect(result).toMatchObject({ ok: true, status: 200, error: null, unreachable: false })
    expect(result.response).toBe('wamid.HBgLMTY0NjcwNDM1OTUVAgARGBI1RjQyNUE3NEYxMzAzMzQ5MkEA')
    expect(intentions()).toBe(1)

    const [upload, message] = api.calls
    expect(upload?.path).toBe('/v26.0/106540352242922/media')
    expect(upload?.authorization).toBe(`Bearer ${token}`)
    expect(upload?.form?.get('messaging_product')).toBe('whatsapp')
    const file = upload?.form?.get('file')
    if (!(file instanceof File)) throw new Error('no file was uploaded')
    expect([file.name, file.type, await file.text()]).toEqual([
      'SAV-2026-00042-pv-de-reception.pdf',
      'application/pdf',
      '%PDF-1.7 the report',
    ])

    expect(message?.path).toBe('/v26.0/106540352242922/messages')
    expect(message?.authorization).toBe(`Bearer ${token}`)
    expect(message?.body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+33612345678',
      type: 'template',
      biz_opaque_callback_data: 'dlv_01J0000000000000000000TEST',
      template: {
        name: 'pv_reception',
        language: { code: 'fr' },
        components: [
          {
            type: 'header',
            parameters: [
              {
                type: 'document',
                document: { id: '1037543291543636', filename: 'SAV-2026-00042-pv-de-reception.pdf' },
              },
            ],
          },
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Maëlle Dupré' },
              { type: 'text', text: 'SAV-2026-00042' },
              { type: 'text', text: 'Ateliers Lœuvre & Fils' },
            ],
          },
        ],
      },
    })
  })

  test('has its texts in the form that template parameters require', async () => {
    const { api, carry } = await setup({ template: 'report_ready:en_GB' })
    await carry(reportLetter({ to, client: { nom: 'A\n\n\tB      C', prenom: '' } }))
    expect(api.calls[1]?.body).toMatchObject({
      template: {
        name: 'report_ready',
        language: { code: 'en_GB' },
        components: [{}, { parameters: [{ text: 'A B C' }, {}, {}] }],
      },
    })
  })
})

describe('an error of Meta', () => {
  test.each([
    [503, 131016, 'is not available'],
    [500, 131000, 'is not available'],
    [503, 133004, 'is not available'],
    [500, 2, 'is not available'],
    [429, 130429, 'accepts no more messages'],
    [400, 131048, 'accepts no more messages'],
    [400, 131056, 'accepts no more messages'],
    [400, 80007, 'accepts no more messages'],
    [400, 4, 'accepts no more messages'],
    [401, 190, 'renew it'],
    [401, 0, 'renew it'],
    [403, 10, 'lacks a permission'],
    [403, 200, 'lacks a permission'],
    [403, 299, 'lacks a permission'],
    [400, 131042, 'unpaid'],
  ])('%i with code %i is retried', async (status, code, words) => {
    const { api, carry } = await setup()
    api.on('messages', graphError(status, code))
    const result = await carry()
    expect(result).toMatchObject({ ok: false, status, unreachable: false })
    expect(result.error).toContain(words)
    expect(result.error).toContain(`(code ${code})`)
    expect(result).not.toHaveProperty('final')
    expect(result.response).toContain('fbtrace_id')
  })

  test.each([
    [400, 131026, 'the report goes by e-mail'],
    [400, 131050, 'wants no messages'],
    [400, 131049, 'the report goes by e-mail'],
    [400, 130472, 'the report goes by e-mail'],
    [400, 131047, 'template'],
    [400, 131051, 'refused the request'],
    [400, 132000, 'template'],
    [404, 132001, 'template'],
    [400, 132015, 'template'],
    [400, 132016, 'template'],
    [400, 100, 'refused the request'],
    [400, 33, 'refused the request'],
    [400, 300, 'refused the request'],
    [400, 133010, 'register it'],
    [400, 999999, 'refused the request'],
  ])('%i with code %i is final', async (status, code, words) => {
    const { api, carry } = await setup()
    api.on('messages', graphError(status, code))
    const result = await carry()
    expect(result).toMatchObject({ ok: false, status, final: true, unreachable: false })
    expect(result.error).toContain(words)
  })

  test('at the upload is handled like one at the message, but no intention to send is recorded', async () => {
    const { api, carry, intentions } = await setup()
    api.on('media', graphError(400, 131053))
    expect(await carry()).not.toHaveProperty('final')
    api.on('media', graphError(400, 100))
    expect(await carry()).toMatchObject({ ok: false, final: true })
    expect(intentions()).toBe(0)
    expect(api.calls.every(({ path }) => path.endsWith('/media'))).toBe(true)
  })

  test('never reveals the token, even if Meta repeats it', async () => {
    const { api, carry } = await setup()
    api.on('messages', graphError(401, 190, `Malformed access token ${token}`))
    const result = await carry()
    expect(result.response).toContain('Malformed access token [token]')
    expect(JSON.stringify(result)).not.toContain(token)
  })
})

describe('an unknown outcome', () => {
  const hangUp: GraphAnswer = (response) => response.destroy()
  const silence: GraphAnswer = () => {}

  test.each([
    ['a connection that is lost', hangUp],
    ['silence', silence],
    ['an error of a proxy', json(502, { oops: 'bad gateway' })],
    ['a gateway that gave up', json(504, {})],
  ])('of the message is final: %s', async (_, answer) => {
    const { api, carry, intentions } = await setup({ timeoutMs: 2000 })
    api.on('messages', answer)
    const result = await carry()
    expect(result).toMatchObject({ ok: false, final: true })
    expect(result.error).toMatch(/^unknown whether it arrived: /)
    expect(result.durationMs).toBeLessThan(5000)
    expect(intentions()).toBe(1)
  })

  test.each([
    ['a connection that is lost', hangUp, true],
    ['silence', silence, true],
    ['a gateway that gave up', json(504, {}), false],
    ['an answer without an id', json(200, {}), true],
  ])('of the upload is retried: %s', async (_, answer, unreachable) => {
    const { api, carry, intentions } = await setup({ timeoutMs: 2000 })
    api.on('media', answer)
    const result = await carry()
    expect(result).toMatchObject({ ok: false, unreachable })
    expect(result).not.toHaveProperty('final')
    expect(result.durationMs).toBeLessThan(5000)
    expect(intentions()).toBe(0)
  })

  test('is not assumed for a message that was never sent', async () => {
    const { api, carry } = await setup()
    api.on('media', (response) => {
      response.end('{"id":"1"}')
      response.on('finish', () => void api.close().catch(() => {}))
    })
    const closed = api.close
    api.close = () => closed().catch(() => {})
    const result = await carry()
    expect(result).toMatchObject({ ok: false, unreachable: true })
    expect(result.error).toBe('the message did not reach WhatsApp: no connection to the server')
    expect(result).not.toHaveProperty('final')
  })

  test('is not assumed for a success whose body got lost', async () => {
    const { api, carry } = await setup({ timeoutMs: 2000 })
    api.on('messages', (response) => {
      response.writeHead(200, { 'Content-Length': 1000 }).write('{')
    })
    expect(await carry()).toMatchObject({ ok: true, status: 200, response: '' })
  })
})

describe('the intention to send', () => {
  test('is recorded after the upload, before the message is sent', async () => {
    const { api, carrier } = await setup()
    let callsBefore: string[] = []
    await carrier.carry(reportLetter({ to }), async () => {
      callsBefore = api.calls.map(({ path }) => path.split('/').at(-1) ?? '')
    })
    expect(callsBefore).toEqual(['media'])
  })

  test('prevents the message if it cannot be recorded', async () => {
    const { api, carrier } = await setup()
    const result = await carrier.carry(reportLetter({ to }), async () => {
      throw new Error('another process has taken this delivery over')
    })
    expect(result).toMatchObject({ ok: false, error: 'not sent: another process has taken this delivery over' })
    expect(result).not.toHaveProperty('final')
    expect(api.calls).toHaveLength(1)
  })
})

describe('a server', () => {
  test('that cannot be reached makes the upload fail, and no intention to send is recorded', async () => {
    const { port, close } = await rawServer(() => {})
    await close()
    const { carry, intentions } = await setup({ api: `http://127.0.0.1:${port}` })
    const result = await carry()
    expect(result).toMatchObject({ ok: false, status: null, unreachable: true })
    expect(result.error).toBe('the report could not be uploaded to WhatsApp: no connection to the server')
    expect(intentions()).toBe(0)
  })

  test('that answers without end has only 16 KiB of its answer kept', async () => {
    const { api, carry } = await setup({ timeoutMs: 2000 })
    api.on('media', (response) => {
      response.writeHead(400)
      const more = () => {
        while (response.write('x'.repeat(10_000)));
      }
      response.on('drain', more)
      more()
    })
    const result = await carry()
    expect(result).toMatchObject({ ok: false, status: 400 })
    expect(result.response).toHaveLength(16 * 1024)
  })
})

describe('WhatsApp', () => {
  test.each([
    ['a notice', noticeLetter({ type: 'key_expires', nom: 'ERP', date: '2026-02-01T00:00:00.000Z' })],
    ['an invitation', invitationLetter],
  ])('does not send %s', async (_, letter) => {
    const { api, carry } = await setup()
    expect(await carry(letter)).toMatchObject({
      ok: false,
      final: true,
      unreachable: false,
      error: 'letters of this kind go by e-mail',
    })
    expect(api.calls).toEqual([])
  })

  test.each([
    { template: 'PV réception' },
    { template: '' },
    { api: 'graph.facebook.com' },
    { api: 'ftp://x.example' },
  ])('refuses malformed settings: %j', (options) => {
    expect(() => createWhatsAppCarrier({ token, phoneId: '1', template: 'pv', ...options })).toThrow(RangeError)
  })
})

describe('a letter about an appointment', () => {
  const rdvTemplates = { confirmation: 'rdv_confirmation', retard: 'rdv_retard:fr_FR' }

  test('is sent by its own template with customer, time, company and link, without an upload', async () => {
    const { api, carry, intentions } = await setup({ rdvTemplates })
    expect(await carry(rdvLetter({ to }))).toMatchObject({ ok: true, status: 200 })
    expect(intentions()).toBe(1)
    const [message, ...others] = api.calls
    expect(others).toEqual([])
    expect(message?.body).toMatchObject({
      to: '+33612345678',
      biz_opaque_callback_data: 'dlv_rdv',
      template: { name: 'rdv_confirmation', language: { code: 'fr' } },
    })
    expect(textsIn(message?.body)).toEqual([
      'Maëlle Dupré',
      'mercredi 18 mars 2026 à 9 h 30',
      'Ateliers Lœuvre & Fils',
      'https://sav.example/rdv/sav_rdv_secret',
    ])
  })

  test('that is delayed has the minutes instead of a link', async () => {
    const { api, carry } = await setup({ rdvTemplates })
    expect(await carry(rdvLetter({ to, about: 'retard', retard_minutes: 25 }))).toMatchObject({ ok: true })
    expect(api.calls[0]?.body).toMatchObject({ template: { name: 'rdv_retard', language: { code: 'fr_FR' } } })
    expect(textsIn(api.calls[0]?.body).at(-1)).toBe('25')
  })

  test('without a template is refused, without a call', async () => {
    const { api, carry } = await setup({ rdvTemplates })
    const result = await carry(rdvLetter({ to, about: 'rappel' }))
    expect(result).toMatchObject({ ok: false, final: true, unreachable: false })
    expect(result.error).toContain('rappel')
    expect(api.calls).toEqual([])
  })

  test('with a malformed template name is refused at the start', () => {
    const options = { token, phoneId: '1', template: 'pv', rdvTemplates: { rappel: 'Rdv Rappel' } }
    expect(() => createWhatsAppCarrier(options)).toThrow(RangeError)
  })

  const textsIn = (body: unknown): string[] =>
    [...JSON.stringify(body).matchAll(/"type":"text","text":"([^"]*)"/g)].map(([, text = '']) =>
      text.replaceAll('\u00a0', ' '),
    )
})
