import type { Command } from 'commander'
import type { Act } from '../action.js'
import { commaList, days } from './values.js'

/** Accounts and their API keys. */
export function addAccessCommands(program: Command, act: Act): void {
  program.commandsGroup('Accounts and keys:')

  const accounts = program.command('accounts').description('holders of cases, keys and everything else')
  accounts
    .command('add <name>')
    .description('add an account')
    .action(act(async () => (await import('../commands/accounts.js')).addAccount))
  accounts
    .command('list')
    .description('every account of the store')
    .action(act(async () => (await import('../commands/accounts.js')).listAccounts))
  accounts
    .command('update <name>')
    .description("change what an account says of itself; '' empties a field")
    .option('--raison-sociale <text>', 'company name, as printed')
    .option('--adresse <text>', 'postal address, as printed')
    .option('--siret <number>', '14 digits')
    .option('--email <address>', 'where notices go')
    .option('--signature-requise', "close no case without the customer's signature")
    .option('--no-signature-requise', 'close cases without it too')
    .action(act(async () => (await import('../commands/accounts.js')).updateAccount))

  const keys = program.command('keys').description('API keys of an account')
  keys
    .command('create')
    .description('make a key; it is shown once')
    .requiredOption('--name <name>', 'what the key is for: one key per integration')
    .requiredOption('--permissions <list>', 'such as sav:read,sav:write', commaList)
    .option('--expires <days>', 'how long it is valid', days, 365)
    .option('--allow-ip <cidr...>', 'accept the key from these addresses only')
    .addHelpText(
      'after',
      '\nPermissions: sav:read, sav:write, directory:read, directory:write, planning:read, planning:write,\nwebhooks:read, webhooks:write, admin (everything)',
    )
    .action(act(async () => (await import('../commands/keys.js')).createKey))
  keys
    .command('list')
    .description('newest first, revoked and expired ones too')
    .action(act(async () => (await import('../commands/keys.js')).listKeys))
  keys
    .command('revoke <id>')
    .description('end a key, in every process within a second')
    .action(act(async () => (await import('../commands/keys.js')).revokeKey))
}
