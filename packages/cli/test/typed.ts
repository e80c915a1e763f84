import type { Command } from 'commander'

/** A command with an action, and the words that call it. */
export interface DeclaredCommand {
  readonly words: readonly string[]
  readonly command: Command
}

/** Every command that is declared. */
export function commandsOf(command: Command, words: readonly string[] = []): DeclaredCommand[] {
  if (command.commands.length === 0) return [{ words, command }]
  return command.commands.flatMap((each) => commandsOf(each, [...words, each.name()]))
}

/** An example value for each required option. */
const required: Readonly<Record<string, string>> = {
  '--client-id': '1',
  '--date': '2026-12-01',
  '--debut': '2026-12-01T09:00',
  '--description': 'La porte du four ne ferme plus',
  '--duree': '60',
  '--email': 'zoe@example.com',
  '--from': 'sqlite:nowhere.db',
  '--permissions': 'sav:read',
  '--resultat': 'resolu',
  '--role': 'lecture',
}

/** Options that a command needs although none is marked as required. */
const besides: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'accounts limit': { '--dossiers-par-mois': '500' },
  'accounts update': { '--siret': '12345678900011' },
  'cases update': { '--priorite': 'haute' },
  'clients update': { '--nom': 'Petit' },
  'poseurs update': { '--nom': 'Petit' },
  'cases close': { '--resolution': 'Charnière remplacée hier' },
  'planning absences': { '--debut': '2026-12-01T09:00', '--fin': '2026-12-01T10:00' },
  'webhooks update': { '--description': 'ERP' },
  'webhooks add': { '--events': 'sav.created' },
}

const argumentOf: Readonly<Record<string, string>> = {
  file: 'clients.csv',
  files: 'clients.csv',
  kind: 'sav.created',
  name: 'default',
  role: 'lecture',
  shell: 'bash',
  url: 'https://example.com/',
}

/** Example values for what a command needs: its arguments, and its options. */
export function neededBy({ words, command }: DeclaredCommand): {
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, string>>
} {
  const mandatory = command.options.flatMap((each) => (each.mandatory ? [each.long ?? ''] : []))
  return {
    args: command.registeredArguments.filter((each) => each.required).map((each) => argumentOf[each.name()] ?? '1'),
    options: {
      ...Object.fromEntries(mandatory.map((long) => [long, required[long] ?? 'x'])),
      ...besides[words.join(' ')],
    },
  }
}
