import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { needs } from '../../../test/needs.js'
import { workplace } from './workplace.js'

it('a proof whose tool is missing is named, and one whose tool is there is not', async () => {
  const { write } = await workplace()
  const notes = await write('notes', '')
  vi.stubEnv('SAV_TEST_MISSING', notes)
  const tool = await write('tool', '')
  vi.stubEnv('PATH', join(tool, '..'))
  expect(needs('tool', 'a proof', true)).toBe(true)
  expect(needs('tool', 'what only a program shows')).toBe(false)
  expect(needs('no-such-tool', 'what it would show')).toBe(false)
  vi.unstubAllEnvs()
  expect(await readFile(notes, 'utf8')).toBe(
    'tool is missing, so not shown: what only a program shows\nno-such-tool is missing, so not shown: what it would show\n',
  )
})
