import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../test/whole/opening.js'
import { png } from './images.js'
import { mailServer } from './mail-server.js'
import { readyWorkplace, type Workplace, workplace } from './workplace.js'

/** Makes a closed case of a customer with an e-mail address. */
async function closedCase(shop: Workplace): Promise<void> {
  await shop.json('init')
  await shop.json('clients add --nom Durand --prenom Hélène --email helene@example.com')
  await shop.newCase()
  const signature = await shop.write('signature.png', png)
  await shop.json(['cases', 'close', '1', '--resolution', 'Charnière remplacée', '--signature', signature])
}

interface CaseOutput {
  readonly reference: string
  readonly pv: { readonly statut: string; readonly canaux: readonly object[] }
  readonly preuve: readonly { readonly hash_sha256: string }[]
}

const pvOf = async (shop: Workplace) => (await shop.json<CaseOutput>('cases show 1')).pv

describe('a reception report', () => {
  it('is mailed to the customer after a close, and can be sent again over the network', async () => {
    const mail = await mailServer()
    const shop = await workplace(mail.settings)
    await closedCase(shop)
    expect(await pvOf(shop)).toMatchObject({ statut: 'en_file', canaux: [{ canal: 'email' }] })
    const service = shop.serve()
    const remote = { SAV_URL: await service.url(), SAV_API_KEY: await shop.newKey() }
    const [letter] = await mail.received(1)
    expect(letter).toMatch(/To: .*helene@example\.com/)
    expect(letter).toMatch(/application\/pdf/)
    await expect
      .poll(() => pvOf(shop))
      .toMatchObject({ statut: 'envoye', canaux: [{ canal: 'email', statut: 'envoye', erreur: null }] })
    await shop.shows('cases show 1', 0, /PV +envoye\n +email +envoye, dlv_/)
    await shop.json(['accounts', 'update', 'default', '--raison-sociale', 'Cuisines Martin'])
    expect(await shop.json('doctor')).toMatchObject({ email: 'reachable', failed_reports: [], warnings: [] })

    const { reference } = await shop.json<CaseOutput>('cases show 1')
    const again = ['cases', 'send-report', reference, '--channel', 'email']
    expect(await shop.json(again, remote)).toMatchObject({ reference, pv: { statut: 'envoye' } })
    const letters = await mail.received(2)
    expect(new Set(letters.map((each) => /^Message-ID: (.*)$/im.exec(each)?.[1])).size).toBe(2)
    const { stderr } = await service.kill('SIGTERM')
    expect(stderr).not.toContain('helene@example.com')
  })

  it('of a case that was closed before a channel was set up can be sent later', async () => {
    const mail = await mailServer()
    const shop = await workplace({})
    await closedCase(shop)
    expect(await pvOf(shop)).toMatchObject({ statut: 'non_configure' })
    const none = await shop.sav('cases send-report 1')
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('No channel is set up')])

    const { reference } = await shop.json<CaseOutput>('cases show 1')
    const sent = await shop.sav(['cases', 'send-report', reference], mail.settings)
    expect(sent.stdout).toMatch(`The report of ${reference} will be sent by email.\n`)
    expect(await pvOf(shop)).toMatchObject({ statut: 'en_file', canaux: [{ canal: 'email' }] })
  })

  it('that the mail server refuses causes a warning of sav doctor, and is marked as failed in its case', async () => {
    const mail = await mailServer({ refuses: true })
    const shop = await workplace(mail.settings)
    await closedCase(shop)
    await shop.workHere()
    await expect.poll(() => pvOf(shop)).toMatchObject({ statut: 'echec' })
    const { reference } = await shop.json<CaseOutput>('cases show 1')
    expect(await shop.json('doctor')).toMatchObject({ failed_reports: [{ account_id: 'default', reference }] })
    await shop.shows('doctor', 0, /FAILED REPORT[\s\S]*Reception reports that reached no customer: 1/)
  })

  it('is drawn even without a channel, loads libraries only then, and is refused if its bytes change', async () => {
    const shop = await readyWorkplace()
    await shop.newCase()
    const key = await shop.newKey()
    const service = shop.serve()
    const url = await service.url()
    const loaded = async () => /sharp|pdfkit/.test(await readFile(`/proc/${service.process.pid}/maps`, 'utf8'))
    if (process.platform === 'linux') expect(await loaded()).toBe(false)
    await shop.json(['cases', 'close', '1', '--resolution', 'Charnière remplacée'])
    const report = () => fetch(`${url}/api/v1/sav/1/pv`, { headers: { authorization: `Bearer ${key}` } })
    await expect.poll(async () => (await report()).status).toBe(200)
    await shop.json('evidence export 1 --dir preuve')
    expect(await readdir(join(shop.dir, 'preuve'))).toContain('pv.pdf')

    const storage = await openSqlite(join(shop.dir, 'sav-data/sav.db'))
    const forged = { content: Buffer.from('forged bytes') }
    await storage.db.updateTable('files').set(forged).execute()
    await storage.close()
    const answer = await report()
    expect([answer.status, await answer.json()]).toMatchObject([500, { error: 'Internal server error' }])
    await service.prints(/differs from what was stored/, 'stderr')
    await shop.fails('cases report 1 -o forged.pdf', 1, /^File [0-9a-f]{64} differs from what was stored, .*\n$/)
  })
})

it('sav doctor says that the mail server is unreachable, within seconds', async () => {
  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const address = gone.address()
  await new Promise((resolve) => gone.close(resolve))
  const port = typeof address === 'object' ? address?.port : 0
  const settings = { SAV_SMTP_URL: `smtp://u:hunter2@127.0.0.1:${port}`, SAV_MAIL_FROM: 'sav@example.com' }
  const shop = await readyWorkplace(settings)
  const { code, stdout } = await shop.sav('doctor --json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ email: 'unreachable', whatsapp: 'not configured' },
    warnings: [expect.stringMatching(/name no company/), expect.stringMatching(/cannot be reached: /)],
  })
  expect(stdout).not.toContain('hunter2')
})

it.each([
  [{ SAV_SMTP_URL: 'smtp://u:hunter2@h?tls=no', SAV_MAIL_FROM: 'sav@example.com' }, /^SAV_SMTP_URL, SAV_MAIL_FROM: /],
  [{ SAV_SMTP_URL: 'smtp://h', SAV_MAIL_FROM: 'nobody' }, /^SAV_SMTP_URL, SAV_MAIL_FROM: /],
  [
    { SAV_WHATSAPP_TOKEN: 'hunter2', SAV_WHATSAPP_PHONE_ID: '1', SAV_WHATSAPP_TEMPLATE: 'Not one' },
    /^SAV_WHATSAPP_TEMPLATE…, SAV_WHATSAPP_API: /,
  ],
])('a setting that its channel refuses stops the start with a sentence: %o', async (settings, sentence) => {
  const shop = await readyWorkplace()
  for (const command of [['serve', '--port', '0'], ['worker']]) {
    const { code, stderr } = await shop.sav(command, settings, { stopAtOnce: true })
    expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)])
    expect(stderr).not.toContain('hunter2')
  }
})

it('sav accounts update sets and removes logo, insurer and mediator', async () => {
  const shop = await readyWorkplace()
  const logo = await shop.write('logo.png', png)
  const texts = ['--assureur', 'MAAF 123', '--mediateur', 'CNPM, 27 avenue de la Libération']
  expect(await shop.json(['accounts', 'update', 'default', '--logo', logo, ...texts])).toMatchObject({
    logo: true,
    assureur: 'MAAF 123',
    mediateur: 'CNPM, 27 avenue de la Libération',
  })
  expect(await shop.json(['accounts', 'update', 'default', '--logo', '', '--assureur', ''])).toMatchObject({
    logo: false,
    assureur: null,
    mediateur: 'CNPM, 27 avenue de la Libération',
  })
  await shop.fails(
    ['accounts', 'update', 'default', '--logo', await shop.write('l.png', 'no picture')],
    2,
    /^--logo .*l\.png: its content is not a JPEG/,
  )
})

describe('sav clients erase', () => {
  it('asks first, replaces personal data everywhere, and leaves a valid chain', async () => {
    const shop = await workplace()
    await closedCase(shop)
    await shop.fails('clients erase 1', 2, /Confirm with --yes/)
    await shop.fails('clients erase 1', 1, 'Nothing was done.\n', {}, { ask: async () => false })
    expect((await shop.sav('clients erase 1', {}, { ask: async () => true })).code).toBe(0)
    const shown = JSON.stringify([
      await shop.json('clients list'),
      await shop.json('cases show 1'),
      await shop.json('evidence export 1 --sequence 1'),
    ])
    expect(shown).not.toMatch(/Durand|Hélène|helene@|four ne ferme plus|Charnière/)
    expect(await shop.json('evidence verify')).toEqual({ checked: 2, broken: [] })
    await shop.json('evidence export 1 --sequence 1 --dir after')
    expect(await readFile(join(shop.dir, 'after/README.txt'), 'utf8')).toMatch(/its personal data was erased on 20/)
    expect((await shop.sav('clients erase 2 --yes')).code).toBe(3)
  })
})

it('if SAV_TSA_CA gives no certificate, serve and doctor name the setting and its file', async () => {
  const shop = await readyWorkplace()
  const refusals = [
    ['/nope', 'SAV_TSA_CA: /nope: there is no such file.'],
    [await shop.write('junk.pem', 'junk'), `SAV_TSA_CA: ${shop.dir}/junk.pem: it holds no certificate in PEM.`],
    ['-----BEGIN', 'SAV_TSA_CA: it holds no certificate in PEM.'],
  ] as const
  for (const [ca, refusal] of refusals) {
    const problem = `${refusal} Name a file with the certificates of the authority in PEM, or give them as text.`
    const settings = { SAV_TSA_URL: 'https://tsa.example/', SAV_TSA_CA: ca }
    await shop.fails('serve --port 0', 2, `${problem}\n`, settings, { stopAtOnce: true })
    const doctor = await shop.sav('doctor --json', settings)
    expect([doctor.code, JSON.parse(doctor.stdout).problems]).toEqual([1, [problem]])
  }
})
