import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bare, readyWorkplace, workplace } from './workplace.js'

it('every command uses the store in the machine’s settings file; doctor shows file and store first', async () => {
  const [service, hand] = [await readyWorkplace(), await workplace()]
  const store = join(service.dir, 'sav-data/sav.db')
  const installedSettings = await service.write('sav.env', `SAV_DATABASE=sqlite:${store}\n`)
  const byHand = (args: readonly string[]) => hand.sav([...args, '--json'], {}, { installedSettings })
  expect(await byHand(['clients', 'list'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Durand') })
  await byHand(['keys', 'create', '--name', 'site', '--permissions', 'sav:read'])
  expect(await service.json('keys list')).toMatchObject([{ nom: 'site' }])
  const { stdout } = await hand.sav('doctor', {}, { installedSettings })
  expect(stdout).toMatch(new RegExp(`^settings_file +${installedSettings}\ndatabase +${store}\n`))
  // A command in a process of its own reads the same file.
  const doctor = hand.start('doctor --json', { SAV_TEST_INSTALLED_SETTINGS: installedSettings })
  expect(JSON.parse((await doctor.ended()).stdout)).toMatchObject({ settings_file: installedSettings, database: store })
})

it('sav demo and the commands of these tests ignore the machine’s settings file', async () => {
  const [service, hand] = [await readyWorkplace(), await workplace()]
  const store = `sqlite:${join(service.dir, 'sav-data/sav.db')}`
  const installedSettings = await service.write('sav.env', `SAV_DATABASE=${store}\n`)
  expect(await hand.sav('demo', {}, { installedSettings })).toMatchObject({ code: 5 })
  expect(await service.json('cases list')).toEqual([])
  await hand.json('init')
  expect(await hand.sav('demo', {}, { installedSettings })).toMatchObject({ code: 0 })
  expect(await service.json('cases list')).toEqual([])
  // A demo does read a settings file that --env-file names.
  expect(await hand.sav(['demo', '--json', '--env-file', installedSettings])).toMatchObject({ code: 0 })
  expect(await service.json('cases list')).not.toEqual([])
  expect([bare.SAV_TEST_INSTALLED_SETTINGS, process.env['SAV_TEST_INSTALLED_SETTINGS']]).toEqual(['', ''])
})
