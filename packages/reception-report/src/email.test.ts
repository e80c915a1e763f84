import { describe, expect, test } from 'vitest'
import { carrier, noIntent, server } from '../test/emailing.js'
import { company, invitationLetter, noticeLetter, reportLetter } from '../test/letters.js'
import { logo } from '../test/sample.js'
import { frenchDates } from './french.js'
import { mailText } from './mail-text.js'

describe('a report', () => {
  test('reaches the customer with the PDF, in French, as text and HTML', async () => {
    const { port, mails } = await server()
    const check_url = 'https://sav.example/verifier/abc'
    const result = await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter({ check_url }), noIntent)
    expect(result).toMatchObject({ ok: true, status: 250, error: null, unreachable: false })
    expect(result.response).toBe('250 queued as 42')
    const [mail] = mails
    expect(mail?.subject).toBe('Procès-verbal de réception SAV-2026-00042 – Ateliers Lœuvre & Fils')
    expect(mail?.from?.value).toEqual([{ address: 'service@sav.example', name: 'Ateliers Lœuvre & Fils' }])
    expect(mail?.replyTo?.value).toEqual([{ address: 'sav@ateliers.example', name: '' }])
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
    // 23:30 UTC is the next day in Paris.
    for (const body of [mail?.text, String(mail?.html)]) {
      expect(body).toContain('Bonjour Maëlle Dupré,')
      expect(body?.replaceAll('\u00a0', ' ')).toContain('clôturée le 16 janvier 2026')
      expect(body).toContain(reportLetter().hash_sha256)
      expect(body).toContain(check_url)
    }
    expect(mail?.attachments).toMatchObject([
      { filename: 'SAV-2026-00042-pv-de-reception.pdf', contentType: 'application/pdf' },
    ])
    expect(mail?.attachments[0]?.content.toString()).toBe('%PDF-1.7 the report')
  })

  test('has work and reservations above the button, and the hash last', async () => {
    const { port, mails } = await server()
    const check_url = 'https://sav.example/verifier/abc'
    const reserves = ['La façade "du bas" est rayée', 'Joint à reprendre']
    const remplace = { date_cloture: '2026-01-10T10:00:00.000Z', signed: true, reserves: [] }
    await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter({ check_url, reserves, remplace }), noIntent)
    const html = String(mails[0]?.html)
      .replace(/<head>[\s\S]*<\/head>/, '')
      .replace(/<br>/g, '\n')
    const said = [
      'Il remplace le PV du 10_janvier_2026.',
      'Charnière «_du bas_» remplacée_; porte réglée.\nEssai en présence du client.',
      'La façade «_du bas_» est rayée',
      'Joint à reprendre',
      check_url,
      'Appelez-nous au 04_78_00_11_22',
      reportLetter().hash_sha256,
    ]
    for (const body of [mails[0]?.text, html]) {
      const places = said.map((words) => body?.replaceAll('\u00a0', '_').indexOf(words) ?? -1)
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      expect(places[0]).toBeGreaterThan(0)
    }
    expect(mails[0]?.text).toContain('2. Joint à reprendre')
  })

  test('includes the logo, and loads nothing from the network', async () => {
    const { port, mails } = await server()
    const given = await logo()
    await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter({ logo: given }), noIntent)
    const picture = mails[0]?.attachments.find(({ contentType }) => contentType === 'image/png')
    expect(picture).toMatchObject({ related: true, content: given.content })
    // The parser has replaced the reference to the picture by its data.
    expect(String(mails[0]?.html)).toMatch(/<img src="data:image\/png;base64,[^"]+" alt="Ateliers Lœuvre &amp; Fils"/)
    expect(String(mails[0]?.html)).not.toMatch(/(src|background)=["']?https?:|url\(/)
  })

  test('uses the colour of the shop, with readable text on it', async () => {
    const { port, mails } = await server()
    const letter = reportLetter({ societe: { ...company, couleur: '#ffd400' }, check_url: 'https://sav.example/v/1' })
    await carrier(`smtp://127.0.0.1:${port}`).carry(letter, noIntent)
    expect(String(mails[0]?.html)).toContain('border-top:4px solid #ffd400')
    expect(String(mails[0]?.html)).toMatch(/class="button" [^>]*background:#ffd400;color:#000"/)
  })

  test('has the account’s sender and reply address', async () => {
    const { port, mails } = await server()
    const societe = { ...company, nom_expediteur: 'Le SAV de Lœuvre', repondre_a: 'reponses@ateliers.example' }
    await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter({ societe }), noIntent)
    expect(mails[0]?.from?.value).toEqual([{ address: 'service@sav.example', name: 'Le SAV de Lœuvre' }])
    expect(mails[0]?.replyTo?.value).toEqual([{ address: 'reponses@ateliers.example', name: '' }])
  })

  test('without a signature is not called a reception', async () => {
    const { port, mails } = await server()
    await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter({ signed: false }), noIntent)
    expect(mails[0]?.subject).toContain('Rapport de fin d’intervention')
    expect(`${mails[0]?.text}${mails[0]?.html}`).not.toContain('réception')
    expect(mails[0]?.attachments[0]?.filename).toBe('SAV-2026-00042-rapport-de-fin-d-intervention.pdf')
  })

  test('has a Message-ID of its own, which is the same at every attempt', async () => {
    const { port, mails } = await server()
    const mailer = carrier(`smtp://127.0.0.1:${port}`)
    for (const id of ['dlv_1', 'dlv_1', 'dlv_2']) await mailer.carry(reportLetter({ id }), noIntent)
    expect(mails.map(({ messageId }) => messageId)).toEqual([
      '<dlv_1@sav.example>',
      '<dlv_1@sav.example>',
      '<dlv_2@sav.example>',
    ])
  })

  test('reuses an open connection, and opens a new one if the server has closed it', async () => {
    const mail = await server()
    const mailer = carrier(`smtp://127.0.0.1:${mail.port}`)
    expect(await mailer.carry(reportLetter(), noIntent)).toMatchObject({ ok: true })
    expect(await mailer.carry(reportLetter(), noIntent)).toMatchObject({ ok: true })
    expect(mail.connections()).toBe(1)
    mail.hangUp()
    expect(await mailer.carry(reportLetter(), noIntent)).toMatchObject({ ok: true })
    expect(mail.connections()).toBe(2)
    expect(mail.mails).toHaveLength(3)
  })
})

describe('names, texts and addresses', () => {
  test('cannot inject headers', async () => {
    const { port, mails, recipients } = await server()
    const injection = 'Eve\r\nBcc: eve@evil.example\r\n\r\nfree text'
    const letter = reportLetter({
      id: 'dlv_1>\r\nX-Evil: 1',
      societe: { ...company, raison_sociale: injection, email: 'a@b.example\r\nBcc: eve@evil.example' },
      client: { nom: injection, prenom: injection },
      reference: 'SAV-2026-00001',
    })
    expect(await carrier(`smtp://127.0.0.1:${port}`).carry(letter, noIntent)).toMatchObject({ ok: true })
    expect(recipients).toEqual(['maelle@client.example'])
    expect([...(mails[0]?.headers.keys() ?? [])].sort()).toEqual(
      ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].sort(),
    )
    expect(mails[0]?.from?.value).toHaveLength(1)
    expect(mailText(letter, frenchDates('UTC')).subject).not.toMatch(/\p{Cc}/u)
  })

  test('cannot inject HTML', async () => {
    const { port, mails } = await server()
    const letter = reportLetter({ client: { nom: '<script>alert("1")</script>', prenom: "<img src='x'>" } })
    await carrier(`smtp://127.0.0.1:${port}`).carry(letter, noIntent)
    const html = String(mails[0]?.html)
    expect(html).not.toMatch(/<script|<img/)
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)')
    expect(mails[0]?.text).toContain('<script>')
  })

  test.each([
    'a@b.example, eve@evil.example',
    'a@b.example\r\nRCPT TO:<eve@evil.example>',
    'Eve <eve@evil.example>',
    'nobody',
    '@b.example',
    'a b@c.example',
    '',
  ])('are refused as an address: %j', async (to) => {
    const { port, mails, connections } = await server()
    const result = await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter({ to }), noIntent)
    expect(result).toMatchObject({
      ok: false,
      final: true,
      unreachable: false,
      error: 'the address is not a valid e-mail address',
    })
    expect(mails).toEqual([])
    expect(connections()).toBe(0)
  })
})

describe('a notice', () => {
  test.each([
    ['gone', 'une livraison s’est terminée par la réponse 410 (Gone)'],
    ['failing', 'cinq jours sans une seule livraison réussie'],
  ] as const)('names the disabled endpoint and the reason, in French: %s', async (reason, inFrench) => {
    const { port, mails } = await server()
    const notice = {
      type: 'endpoint_disabled',
      url: 'https://erp.example/hook',
      reason,
      date: '2026-01-15T10:30:00.000Z',
    } as const
    expect(await carrier(`smtp://127.0.0.1:${port}`).carry(noticeLetter(notice), noIntent)).toMatchObject({ ok: true })
    expect(mails[0]?.subject).toBe('Un webhook a été désactivé')
    expect(mails[0]?.text).toContain('https://erp.example/hook')
    expect(mails[0]?.text?.replaceAll('\u00a0', ' ')).toContain('désactivé le 15 janvier 2026 à 11 h 30')
    expect(mails[0]?.text?.replaceAll('\u00a0', ' ')).toContain(`Raison : ${inFrench}.`)
    expect(mails[0]?.attachments).toEqual([])
  })

  test('names the key that is about to expire', async () => {
    const { port, mails } = await server()
    const notice = { type: 'key_expires', nom: 'ERP\r\nX: y', date: '2026-02-01T00:00:00.000Z' } as const
    expect(await carrier(`smtp://127.0.0.1:${port}`).carry(noticeLetter(notice), noIntent)).toMatchObject({ ok: true })
    expect(mails[0]?.subject?.replaceAll('\u00a0', ' ')).toBe('La clé d’API « ERP X: y » expire bientôt')
    expect(mails[0]?.text?.replaceAll('\u00a0', ' ')).toContain('le 1er février 2026 à 1 h 00')
  })
})

describe('an invitation', () => {
  test('has one link with its expiry, and loads nothing from the network', async () => {
    const { port, mails, recipients } = await server()
    expect(await carrier(`smtp://127.0.0.1:${port}`).carry(invitationLetter, noIntent)).toMatchObject({ ok: true })
    const [{ subject, text = '', html, attachments, messageId } = {}] = mails
    expect(recipients).toEqual(['claire@ateliers.example'])
    expect(subject).toBe('Votre accès – Ateliers Lœuvre & Fils')
    expect(messageId).toBe(`<${invitationLetter.id}@sav.example>`)
    expect(text.match(/https?:\S+/g)).toEqual([invitationLetter.url])
    expect(text.replaceAll('\u00a0', ' ')).toContain('une seule fois, jusqu’au 15 janvier 2026 à 11 h 45')
    expect(String(html).match(/(?:href|src)="[^"]*"/g)).toEqual([`href="${invitationLetter.url}"`])
    expect(attachments).toEqual([])
  })
})

describe('settings', () => {
  test.each([
    'http://mail.example',
    'smtp://',
    'mail.example:587',
    'smtp://user:hunter2@mail.example?logger=true',
    'smtp://user:hunter2@mail.example?requireTLS=yes',
    'smtp://user:hunter2%@mail.example',
  ])('that do not parse are refused without revealing the password: %s', (url) => {
    let message = ''
    try {
      carrier(url)
    } catch (error) {
      message = String(error)
    }
    expect(message).toMatch(/^RangeError: .*SMTP URL/)
    expect(message).not.toContain('hunter2')
  })

  test.each(['nobody', 'a@b.example, c@d.example', ''])('refuse the sender %j', (from) => {
    expect(() => carrier('smtp://mail.example', { from })).toThrow(RangeError)
  })
})
