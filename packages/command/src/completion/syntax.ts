import { Argument, type Command } from 'commander'
import type { Act } from '../invocation/action.js'
import type { CommandGroup } from '../invocation/command-group.js'
import { usageError } from '../process/command-error.js'
import type { FieldCommand } from '../syntax/field-command.js'
import { shells } from './scripts.js'

/** The commands for completion, the manual page and help. */
export const completionCommands: CommandGroup = { heading: 'Help:', add: addCompletionCommands }

function addCompletionCommands(program: FieldCommand, act: Act): void {
  program
    .declare('completion', 'print the completion script of a shell: commands, options and values of the store')
    .addArgument(new Argument('<shell>').choices(shells))
    .examples(
      'sav completion bash > ~/.local/share/bash-completion/completions/sav',
      'sav completion zsh > ~/.zsh/completions/_sav    # a directory of $fpath',
      'sav completion fish > ~/.config/fish/completions/sav.fish',
    )
    .action(
      act(async () => {
        const { printCompletion } = await import('./complete.js')
        return (_, shell) => printCompletion(program, shell)
      }),
    )
  program.declare('man', 'print the manual page: sav man | man -l -').action(
    act(async () => {
      const { printManPage } = await import('./man-page.js')
      return () => printManPage(program)
    }),
  )
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(
      act(async () => {
        const { complete } = await import('./complete.js')
        return (context, words: string[]) => complete(program, context, words)
      }),
    )
  program
    .declare('help', 'show the help of a command: sav help cases list')
    .argument('[command...]')
    .action((words: readonly string[]) => {
      let command: Command = program
      for (const word of words) {
        const next = command.commands.find((each) => each.name() === word)
        if (next === undefined)
          throw usageError(`There is no command ${words.join(' ')}. See ${program.name()} --help.`)
        command = next
      }
      command.outputHelp()
    })
}
