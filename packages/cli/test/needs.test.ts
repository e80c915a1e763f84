import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { missingPrograms, needs } from '../../../test/needs.js'
import { workplace } from './workplace.js'

it('a proof whose tool is missing is named, and one whose tool is there is not', async () => {
  const { write } = await workplace()
  const notes = await write('notes', '')
  vi.stubEnv('SAV_TEST_MISSING', notes)
  const program = await write('openssl', '')
  vi.stubEnv('PATH', join(program, '..'))
  expect(needs('a tool', 'a proof', true)).toBe(true)
  expect(needs('openssl', 'what only a program shows')).toBe(false)
  expect(needs('strace', 'what it would show')).toBe(false)
  expect(missingPrograms()).toEqual(expect.arrayContaining(['chromium', 'openssl', 'strace']))
  await chmod(program, 0o755)
  expect(needs('openssl', 'a proof')).toBe(true)
  expect(missingPrograms()).not.toContain('openssl')
  vi.unstubAllEnvs()
  expect(await readFile(notes, 'utf8')).toBe(
    'openssl is missing, so not shown: what only a program shows\nstrace is missing, so not shown: what it would show\n',
  )
})

it('a program that no list names is refused: the run could not say at its start that it is missing', () => {
  expect(() => needs('no-such-program', 'a proof')).toThrow('name it in test/needs.ts')
})
