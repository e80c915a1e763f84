import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { receiver } from './receiver.js'
import { bin, local, nodeOptions, readyWorkplace, workplace } from './workplace.js'

const run = promisify(execFile)
const remote = { SAV_URL: 'https://sav.example', SAV_API_KEY: 'sav_live_x' }

describe('ignored input is refused', () => {
  it.each([
    [
      'cases list --account lyon',
      /^--account does nothing at https:\/\/sav\.example \(SAV_URL\): a key belongs to one account/,
    ],
    ['cases list --account default', /^--account does nothing/],
    [
      'cases list --database sqlite:other.db',
      /^--database names a store, and SAV_URL a service .*: give one of them\./,
    ],
    ['backup --to b.db', /works on a store, and not on a service: unset SAV_URL/],
    ['restore b.db', /works on a store, and not on a service: unset SAV_URL/],
    ['migrate', /works on a store, and not on a service: unset SAV_URL/],
    ['evidence verify', /works on a store, and not on a service: unset SAV_URL/],
    ['doctor', /works on a store, and not on a service: unset SAV_URL/],
  ])('sav %s, with SAV_URL', async (command, message) => {
    const shop = await readyWorkplace()
    const { code, stdout, stderr } = await shop.sav(command, remote)
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)])
  })

  it.each([
    ['backup', '--to'],
    ['evidence export 1', '--dir'],
    ['cases files 1', '--output'],
  ])('sav %s, with an empty %s, as from an unset variable in a script', async (command, option) => {
    const shop = await readyWorkplace()
    const before = await readdir(shop.dir)
    const { code, stdout, stderr } = await shop.sav([...command.split(' '), option, ''])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/'': it must name a file or a directory\./)
    expect(await readdir(shop.dir)).toEqual(before)
  })

  it('an unknown kind or endpoint is refused, but not a removed endpoint', async () => {
    const shop = await readyWorkplace()
    const atelier = await receiver()
    for (const command of ['webhooks history', 'webhooks retry --dry-run']) {
      await shop.fails(`${command} --event sav.close`, 2, /--event sav\.close: it must be one of .*sav\.closed/)
      await shop.fails(`${command} --endpoint wh_nobody`, 3, 'No endpoint wh_nobody in this account.\n')
    }
    const add = ['webhooks', 'add', atelier.url, '--all-events']
    const { id } = await shop.json<{ id: string }>(add, local)
    const quiet = await shop.json<{ id: string }>(add, local)
    await shop.newCase()
    await shop.json(['webhooks', 'remove', id, '--yes'])
    expect(await shop.json(['webhooks', 'history', '--endpoint', id])).toHaveLength(1)
    expect(await shop.json(['webhooks', 'history', '--endpoint', id, '--state', 'delivered'])).toEqual([])
    expect(await shop.json(['webhooks', 'history', '--endpoint', quiet.id, '--since', '1h'])).toHaveLength(1)
    expect(await shop.json('webhooks history --event webhook.test')).toEqual([])
  })
})

it('a report without a company name is sent, with a warning', async () => {
  const mail = { SAV_SMTP_URL: 'smtp://127.0.0.1:1', SAV_MAIL_FROM: 'sav@example.com' }
  const shop = await readyWorkplace(mail)
  await shop.newCase()
  const { stdout } = await shop.sav(['cases', 'close', '1', '--resolution', 'Charnière remplacée'])
  expect(stdout).toMatch(/The report names no company: .*--raison-sociale/)
  await shop.shows('doctor', 0, /Warning: The account default sends reports that name no/)
  await shop.json(['accounts', 'update', 'default', '--raison-sociale', 'Cuisines Martin'])
  expect((await shop.sav('doctor')).stdout).not.toMatch(/name no/)
})

describe('variables that are not settings', () => {
  const ofKubernetes = { SAV_PORT: 'tcp://10.96.0.12:8080', SAV_SERVICE_HOST: '10.96.0.12', SAV_SERVICE_PORT: '8080' }
  const passedOver = expect.stringMatching(
    /^SAV_PORT is ignored: tcp:\/\/10\.96\.0\.12:8080 is the address of a service/,
  )

  it('are reported at the start and by doctor with the likely name, but nothing is refused', async () => {
    const shop = await readyWorkplace()
    await chmod(await shop.write('.env', 'SAV_SMPT_URL=smtp://mail.example\n'), 0o600)
    const env = {
      SAV_PROT: '8081',
      SAV_SERVICE_HOST: '10.0.0.7',
      SAV_PORT_8080_TCP_ADDR: '10.0.0.7',
      SAV_ZZZZZZZZZZZZ: '1',
    }
    const sentences = [
      'SAV_PROT is not a setting: did you mean SAV_PORT?',
      'SAV_ZZZZZZZZZZZZ is not a setting.',
      'SAV_SMPT_URL in .env is not a setting: did you mean SAV_SMTP_URL?',
    ]
    const { warnings } = await shop.json<{ warnings: string[] }>('doctor', env)
    expect(warnings).toEqual(sentences)
    const service = shop.start('serve --port 0', { ...env, ...ofKubernetes })
    await service.url()
    const { stderr } = await service.kill('SIGTERM')
    const lines = stderr.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    expect(lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg)).toEqual([passedOver, ...sentences])
  })

  it('that Kubernetes sets for a service named sav are ignored, and a message says so', async () => {
    const shop = await readyWorkplace()
    const listed = await shop.sav('poseurs list --json', ofKubernetes)
    expect(listed).toEqual({ code: 0, stdout: '[]\n', stderr: passedOver })
  })
})

describe('a message', () => {
  it.each([
    ['cases list --limit=0', /^--limit: must be at least 1/],
    ['cases list --all --limit 5', /^--all cannot be used with --limit\./],
    ['demo --receiver http://shop.example', /^--receiver: must be an https URL/],
  ])('about a wrong value in sav %s names the flag that was typed', async (command, message) => {
    const shop = await readyWorkplace()
    const { code, stderr } = await shop.sav(command)
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })

  it.each([
    ['clients create', 'Did you mean add?'],
    ['cases add', 'Did you mean create?'],
    ['clients delete 1', 'Did you mean erase?'],
    ['webhooks get wh_1', 'Did you mean show?'],
  ])('about the unknown command sav %s names the existing command with the same meaning', async (command, hint) => {
    const shop = await workplace()
    const { code, stderr } = await shop.sav(command)
    expect([code, stderr]).toEqual([2, expect.stringContaining(`(${hint})`)])
  })

  it.each([
    'cases create --client-id 1 --description long-enough --photo nowhere.jpg',
    'cases create --client-id 1 --description long-enough --photo folder.jpg',
    'clients import nowhere.csv',
    'clients import folder.jpg',
    'evidence verify --anchor nowhere.ndjson',
    'evidence anchor --to nowhere/anchors.ndjson',
    'evidence export 1 --dir a.txt',
    'backup --to a.txt/b.db',
    'restore nowhere.db',
    'copy --from sqlite:nowhere.db --to sqlite:b.db',
    'cases list --database sqlite:folder.jpg',
    'cases list --database sqlite:a.txt',
    'accounts update default --logo nowhere.png',
  ])('about a failure of sav %s is a whole sentence', async (command) => {
    const shop = await readyWorkplace()
    await mkdir(join(shop.dir, 'folder.jpg'))
    await shop.write('a.txt', 'text')
    await shop.newCase()
    await shop.json(['cases', 'close', '1', '--resolution', 'Charnière remplacée'])
    const { code, stdout, stderr } = await shop.sav(command)
    expect(code).not.toBe(0)
    expect([stdout, stderr]).toEqual(['', expect.stringMatching(/^\S.*[a-zA-Z`).]\.\n$/)])
    // Removes the directory from the output, since its random name may look like an error code.
    expect(stderr.replaceAll(shop.dir, '')).not.toMatch(/\bE[A-Z]{3,}\b|SQLITE_|at .*\.ts:|A fault of sav/)
  })

  it('uses singular and plural forms', async () => {
    const shop = await readyWorkplace()
    await shop.write('one.csv', 'nom,prenom\nPetit,Aïcha\n')
    await shop.shows('clients import one.csv --dry-run', 0, /^one\.csv: 1 row of clients: 1 would be created, /)
    await shop.shows('clients import one.csv', 0, /^one\.csv: 1 row of clients: 1 created, /)
    expect((await shop.sav('purge --dry-run')).stdout).toBe('0 rows would be deleted.\n')
  })

  it.runIf(existsSync('/dev/full'))('about output to a full disk is one sentence, without a stack', async () => {
    const shop = await readyWorkplace()
    const words = [process.execPath, ...nodeOptions, bin, 'cases', 'list', '--json'].map((word) => `'${word}'`)
    const { code, stderr } = await run('sh', ['-c', `${words.join(' ')} > /dev/full`], { cwd: shop.dir }).then(
      () => ({ code: 0, stderr: '' }),
      (error: { code: number; stderr: string }) => error,
    )
    expect([code, stderr]).toEqual([1, 'The output could not be written: the disk is full.\n'])
  })
})

describe('control characters in foreign text', () => {
  const evil = 'X\u001b]0;owned\u0007\u001b[2J\u009b31m\u202eY'

  it('do not appear in a message, a question or an error', async () => {
    const shop = await readyWorkplace()
    const said = async (...args: string[]) => {
      const asked: string[] = []
      const ask = async (question: string) => asked.push(question) === 0
      const { stdout, stderr } = await shop.sav(args, {}, { ask })
      return [stdout, stderr, ...asked].join('')
    }
    const texts = [
      await said('clients', 'add', '--nom', evil, '--prenom', 'Y'),
      await said('poseurs', 'add', '--nom', evil),
      await said('clients', 'erase', '2'),
      await said('clients', 'list'),
      await said('keys', 'create', '--name', evil, '--permissions', 'sav:read'),
      await said('cases', 'show', evil),
      await said('cases', 'list', '--statut', evil),
      await said(evil),
      await said('clients', 'import', evil),
      await said('cases', 'list', '--account', evil),
      await said('webhooks', 'show', evil),
    ]
    for (const text of texts) {
      expect(text).not.toBe('')
      expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u)
    }
  })

  it('are kept in evidence', async () => {
    const shop = await readyWorkplace()
    await shop.newCase('La porte \u202edu four ne ferme plus')
    await shop.json(['cases', 'close', '1', '--resolution', 'Charnière remplacée'])
    const { stdout } = await shop.sav('evidence export 1')
    expect(JSON.parse(stdout).snapshot).toContain('La porte \u202edu four')
  })
})
