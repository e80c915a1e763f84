import type { Argument, Command, Option } from 'commander'

/** A word that a shell can complete, and its explanation. */
export interface Candidate {
  readonly value: string
  readonly means: string
}

/** Kinds of values that come from the store or the service. */
export type LiveKind =
  | 'accounts'
  | 'cases'
  | 'clients'
  | 'deliveries'
  | 'endpoints'
  | 'keys'
  | 'poseurs'
  | 'profiles'
  | 'references'
  | 'users'

/** The kind of values that an option completes, by the field that the option fills. */
const ofOption: Readonly<Record<string, LiveKind>> = {
  account: 'accounts',
  profile: 'profiles',
  client_id: 'clients',
  poseur_id: 'poseurs',
  equipier_id: 'poseurs',
  sav_id: 'cases',
  endpoint: 'endpoints',
  key: 'keys',
  user: 'users',
}

/** The kind of values that an argument completes, by its group and name. */
const ofArgument: Readonly<Record<string, LiveKind>> = {
  'accounts name': 'accounts',
  'cases id': 'cases',
  'evidence id': 'cases',
  'clients id': 'clients',
  'poseurs id': 'poseurs',
  'planning poseur': 'poseurs',
  'keys id': 'keys',
  'users id': 'users',
  'webhooks id': 'endpoints',
  'webhooks delivery': 'deliveries',
}

/** The candidates for the last argument: words of the syntax, or kinds of live values. */
export function candidatesFor(
  program: Command,
  words: readonly string[],
): { readonly known: readonly Candidate[]; readonly live: LiveKind | null } {
  const typed = words.at(-1) ?? ''
  const { command, before, given } = walk(program, words.slice(0, -1))
  if (before !== null) return { known: valuesOf(before, typed), live: ofOption[before.attributeName()] ?? null }
  if (typed.startsWith('-')) return { known: optionsOf(command), live: null }
  const subcommands = command.createHelp().visibleCommands(command)
  if (subcommands.length > 0)
    return {
      known: subcommands.map((each) => ({ value: each.name(), means: firstLine(each.description()) })),
      live: null,
    }
  const argument = argumentAt(command, given)
  if (argument === undefined) return { known: [], live: null }
  const kind = command.name() === 'add' ? null : (ofArgument[`${command.parent?.name()} ${argument.name()}`] ?? null)
  return {
    known: choicesOf(argument.argChoices),
    live: kind === 'cases' && /^\D/.test(typed) ? 'references' : kind,
  }
}

/** The command that the arguments name, the option that waits for its value, and the number of arguments given. */
function walk(program: Command, words: readonly string[]) {
  let command = program
  let before: Option | null = null
  let given = 0
  for (const word of words) {
    if (before !== null) before = null
    else if (word.startsWith('-')) before = waiting(command, word)
    else {
      const next: Command | undefined = command.commands.find((each) => each.name() === word)
      if (next === undefined) given += 1
      else command = next
    }
  }
  return { command, before, given }
}

function waiting(command: Command, word: string): Option | null {
  for (let each: Command | null = command; each !== null; each = each.parent) {
    const found = each.options.find(({ long, short }) => long === word || short === word)
    if (found !== undefined) return found.required || found.optional ? found : null
  }
  return null
}

function optionsOf(command: Command): Candidate[] {
  const all: Option[] = []
  for (let each: Command | null = command; each !== null; each = each.parent)
    all.push(...each.createHelp().visibleOptions(each))
  return all.map(({ long, short, description }) => ({ value: long ?? short ?? '', means: firstLine(description) }))
}

const argumentAt = ({ registeredArguments }: Command, given: number): Argument | undefined =>
  registeredArguments[given] ?? registeredArguments.findLast(({ variadic }) => variadic)

/** The candidates for an option's value. In a list such as `a,b`, the part after the last comma is completed. */
function valuesOf(option: Option & { readonly parts?: readonly string[] }, typed: string): Candidate[] {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1)
  const given = new Set(before.split(','))
  const parts = (option.parts ?? []).filter((part) => !given.has(part))
  return [...choicesOf(option.argChoices), ...choicesOf(parts.map((part) => `${before}${part}`))]
}

const choicesOf = (choices: readonly string[] | undefined): Candidate[] =>
  (choices ?? []).map((value) => ({ value, means: '' }))

const firstLine = (text: string) => text.split(/[;\n]/, 1)[0] ?? ''
