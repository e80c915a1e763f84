import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { createProgram } from './program.js'
import { commandsOf, neededBy } from './typed.js'
import { nodeOptions } from './workplace.js'

const child = join(import.meta.dirname, 'drained-commands.ts')

it('every command whose event loop drains before it has finished exits 70 and says so', async () => {
  const program = createProgram({ stdout: process.stdout } as never, async () => {})
  // `help` is left out, since it waits for nothing.
  const declared = commandsOf(program).filter(({ words }) => words.at(-1) !== 'help')
  const commands = declared.map((each) => {
    const { args, options } = neededBy(each)
    return [...each.words, ...args, ...Object.entries(options).flat()]
  })
  const { code, told } = await drained(commands)
  expect(told).toEqual(
    commands.map((argv) => ({
      argv,
      exitCode: 70,
      stderr: 'sav ended before it had finished, which is a fault of sav itself: part of the work may be missing.\n',
    })),
  )
  expect(told.length).toBeGreaterThan(100)
  // The process exits with the code of the last command.
  expect(code).toBe(70)
})

interface Told {
  readonly argv: readonly string[]
  readonly exitCode: number
  readonly stderr: string
}

/** Runs the commands one after another in one process. Each never finishes, and keeps nothing open. */
async function drained(commands: readonly (readonly string[])[]): Promise<{ code: number | null; told: Told[] }> {
  const ran = spawn(process.execPath, [...nodeOptions, child, JSON.stringify(commands)])
  const [stdout, stderr] = await Promise.all([text(ran.stdout), text(ran.stderr), once(ran, 'close')])
  expect(stderr).toBe('')
  return { code: ran.exitCode, told: JSON.parse(stdout) }
}
