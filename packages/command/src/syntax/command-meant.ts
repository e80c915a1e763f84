import type { Command } from 'commander'

/** Groups of words that mean the same, since other tools use other words. */
const alike: readonly (readonly string[])[] = [
  ['add', 'create', 'new'],
  ['list', 'ls'],
  ['show', 'get', 'view'],
  ['update', 'edit', 'set'],
  ['remove', 'erase', 'revoke', 'delete', 'rm'],
]

/**
 * Adds to commander's message the command that was probably meant. A word with the same meaning is a better guess than
 * a similar spelling.
 */
export function withCommandMeant(message: string, { commands }: Command): string {
  const [sentence = '', word] = /^.*?'(.*?)'/.exec(message) ?? []
  const words = alike.find((each) => each.some((one) => one === word)) ?? []
  const meant = commands.map((command) => command.name()).filter((name) => words.includes(name))
  return meant.length === 0 ? message : `${sentence}\n(Did you mean ${meant.join(' or ')}?)`
}
