import { type AddHelpTextContext, Help } from 'commander'

/** For `addHelpText`: lines to copy. */
export function examples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`
}

/** For `addHelpText`: text, in lines as long as those of the help above it. */
export function paragraph(text: string): (context: AddHelpTextContext) => string {
  return ({ command }) => `\n${new Help().boxWrap(text, command.configureOutput().getOutHelpWidth?.() ?? 80)}`
}

/** `a, b or c`. */
export function oneOf(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' or ')
}
