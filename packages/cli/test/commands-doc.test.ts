import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { leavesOf, wordsOf } from '../../command/src/completion/man-page.js'
import { createProgram } from './program.js'

const written = fileURLToPath(new URL('../../../docs/reference/commands.md', import.meta.url))

/** The help of every command, at 100 columns. */
function helpTexts() {
  let printed = ''
  const stdout = { write: (text: string) => (printed += text) }
  const io = { stdout, stderr: stdout } as unknown as Parameters<typeof createProgram>[0]
  const program = createProgram(io, async () => {})
  const helpOf = (command: Command): string => {
    printed = ''
    command.configureHelp({ ...command.configureHelp(), showGlobalOptions: command === program }).outputHelp()
    return printed.trimEnd()
  }
  return {
    all: helpOf(program),
    each: leavesOf(program).map((command) => ({ name: wordsOf(command).join(' '), help: helpOf(command) })),
  }
}

it('docs/reference/commands.md has the help of every command', async () => {
  const { all, each } = helpTexts()
  const page = `# Commands

The help of every command, as \`sav COMMAND --help\` prints it. [The command](../../packages/cli/README.md) says how to begin.

\`\`\`text
${all}
\`\`\`
${each.map(({ name, help }) => `\n## ${name}\n\n\`\`\`text\n${help}\n\`\`\`\n`).join('')}`
  await expect(page).toMatchFileSnapshot(written)
})
