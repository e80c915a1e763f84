import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../test/needs.js'
import { bin, fromSource, readyWorkplace, workplace } from './workplace.js'

describe('sav complete', () => {
  it('knows commands, options, choices, and what the store holds', async () => {
    const shop = await readyWorkplace()
    await shop.json(['cases', 'create', '--client-id', '1', '--description', 'La porte du four ne ferme plus'])
    const { id } = await shop.json<{ id: string }>(['webhooks', 'add', 'https://example.com/h', '--all-events'])
    const words = async (...typed: string[]) => {
      const { stdout } = await shop.sav(['complete', '--', ...typed])
      return stdout.replace(/\n$/, '').split('\n')
    }
    expect(await words('ca')).toEqual([expect.stringMatching(/^cases\tafter-sales cases$/)])
    expect(await words('cases', 'cl')).toEqual(['close\tclose a case and record its evidence'])
    expect(await words('cases', 'list', '--sta')).toEqual([expect.stringMatching(/^--statut\t/)])
    expect(await words('cases', 'list', '--statut', 'ouvert', '--json', '--acc')).toEqual([
      expect.stringMatching(/^--account\t/),
    ])
    expect(await words('completion', '')).toEqual(['bash\t', 'zsh\t', 'fish\t'])
    expect(await words('webhooks', 'trigger', 'sav.cl')).toEqual(['sav.closed\t'])
    expect(await words('cases', 'show', '')).toEqual([expect.stringMatching(/^1\tSAV-\d+-00001 La porte du four/)])
    expect(await words('cases', 'create', '--client-id', '')).toEqual(['1\tHélène Durand'])
    expect(await words('webhooks', 'disable', 'wh_')).toEqual([`${id}\thttps://example.com/h`])
    expect(await words('clients', 'show', '1', '')).toEqual([''])
    expect(await words('nothing', '')).not.toEqual([''])
  })

  it('says nothing, and changes nothing, where nothing can be asked for', async () => {
    const place = await workplace()
    expect(await place.sav(['complete', '--', 'cases', 'show', ''])).toEqual({ code: 0, stdout: '\n', stderr: '' })
    const away = { SAV_URL: 'http://127.0.0.1:1', SAV_API_KEY: 'sav_live_x' }
    expect(await place.sav(['complete', '--', 'cases', 'show', ''], away)).toMatchObject({ code: 0, stdout: '\n' })
  })
})

describe('sav completion', () => {
  it.each(['bash', 'zsh', 'fish'])('prints a script for %s that names the commands', async (shell) => {
    const place = await workplace()
    const { code, stdout } = await place.sav(['completion', shell])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^# Completes init migrate .*cases.*webhooks/m)])
    expect((await place.sav(['completion', 'tcsh'])).code).toBe(2)
  })

  it('works in bash', async () => {
    const shop = await readyWorkplace()
    await writeFile(
      join(shop.dir, 'sav'),
      `#!/bin/sh\nexec '${process.execPath}' --import '${fromSource}' '${bin}' "$@"\n`,
      {
        mode: 0o755,
      },
    )
    const typed = async (...words: string[]) => {
      const array = words.map((word) => `'${word}'`).join(' ')
      const ask = `eval "$(sav completion bash)"; COMP_WORDS=(sav ${array}); COMP_CWORD=${words.length}; _sav; printf '%s\\n' "\${COMPREPLY[@]}"`
      const env = { PATH: `${shop.dir}:${process.env['PATH']}` }
      return (await promisify(execFile)('bash', ['-c', ask], { cwd: shop.dir, env })).stdout
    }
    expect(await typed('webhooks', 'ro')).toBe('rotate-secret\n')
    expect(await typed('clients', 'show', '')).toBe('1\n')
  })

  for (const shell of ['zsh', 'fish'])
    it.runIf(needs(shell, `that ${shell} reads its completion`))(`is read by ${shell}`, async () => {
      const place = await workplace()
      const file = await place.write('script', (await place.sav(['completion', shell])).stdout)
      await promisify(execFile)(shell, ['-n', file])
    })
})

describe('sav help', () => {
  it('takes the words of a command', async () => {
    const place = await workplace()
    const help = await place.sav(['help', 'cases', 'list'])
    expect(help).toEqual(await place.sav(['cases', 'list', '--help']))
    expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: sav cases list/) })
    expect((await place.sav(['help'])).stdout).toBe((await place.sav(['--help'])).stdout)
    const unknown = await place.sav(['help', 'cases', 'lists'])
    expect([unknown.code, unknown.stderr]).toEqual([2, 'There is no command cases lists. See sav --help.\n'])
  })
})
