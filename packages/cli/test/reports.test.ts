import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SMTPServer } from 'smtp-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { png } from './images.js'
import { readyWorkplace, type Workplace, workplace } from './workplace.js'

/** A mail server that accepts everything, or refuses every recipient for good. */
async function mailServer({ refuses = false } = {}) {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) =>
      done(refuses ? Object.assign(new Error('No such user here'), { responseCode: 550 }) : null),
    async onData(stream, _session, done) {
      let text = ''
      for await (const chunk of stream) text += chunk
      mails.push(text)
      server.emit('mail')
      done()
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  onTestFinished(() => new Promise((resolve) => server.close(resolve)))
  const address = listening.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    settings: { SAV_SMTP_URL: `smtp://127.0.0.1:${port}`, SAV_MAIL_FROM: 'SAV <sav@example.com>' },
    async received(count: number): Promise<string[]> {
      while (mails.length < count) await once(server, 'mail')
      return mails
    },
  }
}

/** A closed case of a customer with an e-mail address. */
async function closedCase(place: Workplace): Promise<void> {
  await place.json(['init'])
  await place.json(['clients', 'add', '--nom', 'Durand', '--prenom', 'Hélène', '--email', 'helene@example.com'])
  await place.json(['cases', 'create', '--client-id', '1', '--description', 'La porte du four ne ferme plus'])
  const signature = await place.write('signature.png', png)
  await place.json(['cases', 'close', '1', '--resolution', 'Charnière remplacée', '--signature', signature])
}

interface Shown {
  readonly reference: string
  readonly pv: { readonly statut: string; readonly canaux: readonly object[] }
  readonly preuve: readonly { readonly hash_sha256: string }[]
}

const pvOf = async (place: Workplace) => (await place.json<Shown>(['cases', 'show', '1'])).pv

describe('a reception report', () => {
  it('reaches the customer by e-mail, whoever closed the case', async () => {
    const mail = await mailServer()
    const place = await workplace(mail.settings)
    await closedCase(place)
    expect(await pvOf(place)).toMatchObject({ statut: 'en_file', canaux: [{ canal: 'email' }] })
    const service = place.serve()
    await service.url()
    const [letter] = await mail.received(1)
    expect(letter).toMatch(/To: .*helene@example\.com/)
    expect(letter).toMatch(/application\/pdf/)
    await expect
      .poll(() => pvOf(place), { timeout: 5000 })
      .toMatchObject({
        statut: 'envoye',
        canaux: [{ canal: 'email', statut: 'envoye', erreur: null }],
      })
    expect((await place.sav(['cases', 'show', '1'])).stdout).toMatch(/PV +envoye\n +email +envoye, dlv_/)
    expect(await place.json(['doctor'])).toMatchObject({ email: 'reachable', failed_reports: [], warnings: [] })
    const { stderr } = await service.kill('SIGTERM')
    expect(stderr).not.toContain('helene@example.com')
  })

  it('that reaches nobody is a warning of sav doctor, and a case that says why', async () => {
    const mail = await mailServer({ refuses: true })
    const place = await workplace(mail.settings)
    await closedCase(place)
    const service = place.serve()
    await expect.poll(() => pvOf(place), { timeout: 10_000 }).toMatchObject({ statut: 'echec' })
    const { reference } = await place.json<Shown>(['cases', 'show', '1'])
    const doctor = await place.sav(['doctor', '--json'])
    expect([doctor.code, JSON.parse(doctor.stdout)]).toMatchObject([
      0,
      { failed_reports: [{ account_id: 'default', reference }] },
    ])
    expect((await place.sav(['doctor'])).stdout).toMatch(/FAILED REPORT[\s\S]*Reception reports that reached nobody: 1/)
    await service.kill('SIGTERM')
  })

  it('is drawn also where no channel is configured, and its libraries are loaded for no other reason', async () => {
    const place = await readyWorkplace()
    await place.json(['cases', 'create', '--client-id', '1', '--description', 'La porte du four ne ferme plus'])
    const service = place.serve()
    await service.url()
    const loaded = async () => /sharp|pdfkit/.test(await readFile(`/proc/${service.process.pid}/maps`, 'utf8'))
    if (process.platform === 'linux') expect(await loaded()).toBe(false)
    await place.json(['cases', 'close', '1', '--resolution', 'Charnière remplacée'])
    const bundle = join(place.dir, 'preuve')
    await expect
      .poll(
        async () => {
          const dir = `${bundle}-${performance.now()}`
          await place.json(['evidence', 'export', '1', '--dir', dir])
          return readdir(dir)
        },
        { timeout: 10_000, interval: 300 },
      )
      .toContain('pv.pdf')
  })
})

describe('sav doctor', () => {
  it('says that the mail server is away, within seconds', async () => {
    const gone = createServer().listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const address = gone.address()
    await new Promise((resolve) => gone.close(resolve))
    const port = typeof address === 'object' ? address?.port : 0
    const settings = { SAV_SMTP_URL: `smtp://u:hunter2@127.0.0.1:${port}`, SAV_MAIL_FROM: 'sav@example.com' }
    const place = await readyWorkplace(settings)
    const { code, stdout } = await place.sav(['doctor', '--json'])
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { email: 'unreachable', whatsapp: 'not configured', warnings: [expect.stringMatching(/cannot be reached: /)] },
    ])
    expect(stdout).not.toContain('hunter2')
  })
})

describe('a setting that its channel refuses', () => {
  it.each([
    [{ SAV_SMTP_URL: 'smtp://u:hunter2@h?tls=no', SAV_MAIL_FROM: 'sav@example.com' }, /^SAV_SMTP_URL, SAV_MAIL_FROM: /],
    [{ SAV_SMTP_URL: 'smtp://h', SAV_MAIL_FROM: 'nobody' }, /^SAV_SMTP_URL, SAV_MAIL_FROM: /],
    [
      { SAV_WHATSAPP_TOKEN: 'hunter2', SAV_WHATSAPP_PHONE_ID: '1', SAV_WHATSAPP_TEMPLATE: 'Not one' },
      /^SAV_WHATSAPP_TEMPLATE, SAV_WHATSAPP_API: /,
    ],
  ])('stops the start with a sentence: %o', async (settings, sentence) => {
    const place = await readyWorkplace()
    for (const command of [['serve', '--port', '0'], ['worker']]) {
      const { code, stderr } = await place.sav(command, settings, { stopAtOnce: true })
      expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)])
      expect(stderr).not.toContain('hunter2')
    }
  })
})

describe('sav accounts update', () => {
  it('takes logo, insurer and mediator, and lets go of them', async () => {
    const place = await readyWorkplace()
    const logo = await place.write('logo.png', png)
    const texts = ['--assureur', 'MAAF 123', '--mediateur', 'CNPM, 27 avenue de la Libération']
    expect(await place.json(['accounts', 'update', 'default', '--logo', logo, ...texts])).toMatchObject({
      logo: expect.stringMatching(/^[0-9a-f]{64}$/),
      assureur: 'MAAF 123',
      mediateur: 'CNPM, 27 avenue de la Libération',
    })
    expect(await place.json(['accounts', 'update', 'default', '--logo', '', '--assureur', ''])).toMatchObject({
      logo: null,
      assureur: null,
      mediateur: 'CNPM, 27 avenue de la Libération',
    })
    const bad = await place.sav(['accounts', 'update', 'default', '--logo', await place.write('l.jpg', png)])
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringMatching(/^logo: declared as image\/jpeg/)])
  })
})

describe('sav evidence export', () => {
  it('is checked by sha256sum, which finds a changed byte', async () => {
    const place = await workplace()
    await closedCase(place)
    const dir = join(place.dir, 'preuve')
    await place.json(['evidence', 'export', '1', '--dir', dir])
    const check = () => promisify(execFile)('sha256sum', ['-c', 'SHA256SUMS'], { cwd: dir })
    expect((await check()).stdout).toMatch(/^snapshot\.json: OK\nentree\.json: OK\n[0-9a-f]{64}: OK\n$/)
    const bundle = await place.json<{ hash_sha256: string }>(['evidence', 'export', '1'])
    const [preuve] = (await place.json<Shown>(['cases', 'show', '1'])).preuve
    expect(bundle.hash_sha256).toBe(preuve?.hash_sha256)
    const snapshot = await readFile(join(dir, 'snapshot.json'), 'utf8')
    await writeFile(join(dir, 'snapshot.json'), snapshot.replace('Charni', 'charni'))
    await expect(check()).rejects.toThrow(/1 computed checksum did NOT match/)
    const again = await place.sav(['evidence', 'export', '1', '--dir', dir])
    expect([again.code, again.stderr]).toEqual([2, expect.stringMatching(/exists already: name another --dir/)])
    expect((await place.sav(['evidence', 'export', '2'])).code).toBe(3)
  })
})

describe('sav clients erase', () => {
  it('asks first, replaces what is personal everywhere, and leaves a chain that verifies', async () => {
    const place = await workplace()
    await closedCase(place)
    const refused = await place.sav(['clients', 'erase', '1'])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/Say so with --yes/)])
    const declined = await place.sav(['clients', 'erase', '1'], {}, { ask: async () => false })
    expect([declined.code, declined.stderr]).toEqual([1, 'Nothing was done.\n'])
    expect((await place.sav(['clients', 'erase', '1'], {}, { ask: async () => true })).code).toBe(0)
    const shown = JSON.stringify([
      await place.json(['clients', 'list']),
      await place.json(['cases', 'show', '1']),
      await place.json(['evidence', 'export', '1', '--sequence', '1']),
    ])
    expect(shown).not.toMatch(/Durand|Hélène|helene@|four ne ferme plus|Charnière/)
    expect(await place.json(['evidence', 'verify'])).toEqual({ checked: 2, broken: [] })
    await place.json(['evidence', 'export', '1', '--sequence', '1', '--dir', 'after'])
    expect(await readFile(join(place.dir, 'after/README.txt'), 'utf8')).toMatch(/its personal data was erased on 20/)
    expect((await place.sav(['clients', 'erase', '2', '--yes'])).code).toBe(3)
  })
})
