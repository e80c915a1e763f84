import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { createProgram } from './program.js'

const programFor = (...argv: string[]) => createProgram({ stdout: process.stdout } as never, async () => {}, argv)

const names = ({ commands }: Command) => commands.map((command) => command.name())

const helpOf = (command: Command | undefined): string[] =>
  command === undefined ? [] : [command.helpInformation(), ...command.commands.flatMap(helpOf)]

it('the program declares everything about the called command', () => {
  const whole = programFor()
  expect(names(whole).length).toBeGreaterThan(20)
  for (const command of whole.commands) {
    const called = programFor(command.name()).commands.find((each) => each.name() === command.name())
    expect(helpOf(called)).toEqual(helpOf(command))
  }
})

it('the program declares no command groups after the called one, and all of them for an unknown command', () => {
  const all = names(programFor())
  const first = names(programFor('cases', 'list'))
  expect(first).toContain('cases')
  expect(first).not.toContain('webhooks')
  for (const before of [['--account', 'webhooks'], ['--json'], ['--account=webhooks', '--no-color']])
    expect(names(programFor(...before, 'cases', 'list'))).toEqual(first)
  for (const argv of [['--help'], ['--account', 'cases'], ['case', 'list'], ['completion', 'bash']])
    expect(names(programFor(...argv))).toEqual(all)
})
