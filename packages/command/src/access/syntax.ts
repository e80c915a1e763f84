import type { PermissionDeclarations } from '@sav/core/feature'
import { zonesFeries } from '@sav/core/names'
import type { Act } from '../invocation/action.js'
import type { CommandGroup, Offered } from '../invocation/command-group.js'
import { type FieldCommand, FieldOption } from '../syntax/field-command.js'
import { withLieu } from '../syntax/lieu.js'
import { changing, everyOlder, listing, reaching } from '../syntax/options.js'
import { bytesOrNone, callTarget, days, integer, integerOrNone, seconds, sinceWhen } from '../syntax/values.js'

/** Accounts and their API keys. */
export const accessCommands: CommandGroup = { heading: 'Accounts and keys:', place: 2, add: addAccessCommands }

function addAccessCommands(program: FieldCommand, act: Act, { permissions }: Offered): void {
  addLoginCommands(program, act)
  const accounts = program.declare('accounts', 'shops, each with its own cases, keys and all other data')
  addAccountCommands(accounts, act)
  addAccountStates(accounts, act)
  addKeyCommands(program.declare('keys', 'API keys of an account'), act, permissions)
  addAuditCommand(program.declare('audit', 'who called the API, and what was answered'), act)
}

function addLoginCommands(program: FieldCommand, act: Act): void {
  const login = () => import('./login.js')
  program
    .declare('login <url>', 'store the key of a running service: commands then call that service')
    .note(
      'The key comes from SAV_API_KEY. Without it, a terminal asks for the key, and a script gives it on standard input. A command calls the service that --url, SAV_URL, --profile or SAV_PROFILE names. Without any of these, it calls the service of the login without --profile, unless a setting names a store or ./sav-data has one.',
    )
    .examples('sav login https://sav.example', 'sav login https://sav.example --profile lyon < key')
    .action(act(async () => (await login()).login))
  program.declare('logout', 'remove the stored key of a login').action(act(async () => (await login()).logout))
  listing(program.declare('profiles', 'the services that you logged in to')).action(
    act(async () => (await login()).listProfiles),
  )
}

function addAccountCommands(accounts: FieldCommand, act: Act): void {
  accounts.declare('add <name>', 'add an account').action(act(async () => (await import('./accounts.js')).addAccount))
  listing(accounts.declare('list', 'every account of the store'))
    .option('--search <text>', 'only accounts whose name or company name has words that begin like this')
    .option('--erased', 'list the erased accounts instead, with what is left of them')
    .action(act(async () => (await import('./accounts.js')).listAccounts))
  reaching(accounts, 'show [name]', 'the details of an account (default: the one of --account, or of the key)').action(
    act(async () => (await import('./accounts.js')).showAccount),
  )
  withLieu(
    changing(
      reaching(
        accounts,
        'update [name]',
        "change the details of an account (default: the one of --account, or of the key); '' empties a field",
      ),
    ),
    'address of the shop',
  )
    .option('--raison-sociale, --company-name <text>', 'company name, as reports print it')
    .option('--adresse, --address <text>', 'postal address, as reports print it')
    .option('--siret <number>', '14 digits')
    .option('--email <address>', 'address to which notices are sent')
    .option('--telephone, --phone <number>', 'number that customers call')
    .option('--assureur, --insurer <text>', 'insurer and number of the contract, as reports print them')
    .option('--mediateur, --mediator <text>', 'consumer mediator and its address, as reports print them')
    .option('--logo <file>', "image that is printed as the logo; '' for none", String)
    .option('--couleur, --colour <colour>', "colour of customers' pages and letters, such as #17507a")
    .option('--signature-requise, --signature-required', "close no case without the customer's signature")
    .option('--no-signature-requise, --no-signature-required', 'cases may be closed without a signature')
    .option(
      '--confirmation-rdv, --appointment-confirmation',
      'write to customers when an appointment is made, moved or confirmed',
    )
    .option('--no-confirmation-rdv, --no-appointment-confirmation', 'send no letters about these changes')
    .option('--rappel-rdv, --appointment-reminder', 'remind customers of appointments the day before, at 17:00')
    .option('--no-rappel-rdv, --no-appointment-reminder', 'send no reminders')
    .option('--prevenir-bureau, --tell-office', 'write to --email when a customer cancels or moves an appointment')
    .option('--no-prevenir-bureau, --no-tell-office', 'send no notices about these changes')
    .addOption(
      new FieldOption('--zone-feries, --holidays <zone>', 'zone whose holidays are days off').choices(zonesFeries),
    )
    .option(
      '--fuseau, --time-zone <zone>',
      "time zone of the planning, such as Indian/Reunion; '' for that of the service",
    )
    .addOption(
      new FieldOption(
        '--pas, --step <minutes>',
        'the minutes between possible starts of visits: 5, 10, 15, 20, 30 or 60',
      ).argParser(integer),
    )
    .option('--nom-expediteur, --sender-name <name>', 'sender name of e-mails (default: the company name)')
    .option('--repondre-a, --reply-to <address>', 'address for answers to e-mails (default: --email)')
    .option('--url-publique, --public-url <url>', 'the beginning of links to customers (default: SAV_PUBLIC_URL)')
    .option(
      '--textes-terrain, --field-texts <text...>',
      'the short texts that installers choose from on their phones; replaces all of them',
    )
    .action(act(async () => (await import('./accounts.js')).updateAccount))
}

/** Commands with which the service's operator disables, enables, limits or erases an account. */
function addAccountStates(accounts: FieldCommand, act: Act): void {
  accounts
    .declare('disable <name>', 'refuse the keys and sessions of an account within a second; its deliveries wait')
    .note(
      'Nothing is deleted. Its calendars and the pages of its customers stop too. `accounts enable` brings all of it back.',
    )
    .action(act(async () => (await import('./accounts.js')).disableAccount))
  accounts
    .declare('enable <name>', 'accept the keys of an account again, and send its waiting deliveries')
    .action(act(async () => (await import('./accounts.js')).enableAccount))
  changing(
    accounts.declare(
      'limit <name>',
      'limit the cases and files of an account; what exceeds the limit is refused (409)',
    ),
  )
    .option(
      '--dossiers-par-mois, --cases-per-month <n>',
      "cases that it may create in a calendar month; '' for no limit",
      integerOrNone,
    )
    .option(
      '--stockage-octets, --storage <size>',
      "space that its files may take, such as 20GB; '' for no limit",
      bytesOrNone,
    )
    .note('Imported cases, and what installers send from the field, count too, but are never refused.')
    .examples(
      'sav accounts limit atelier --dossiers-par-mois 500 --stockage-octets 20GB',
      "sav accounts limit atelier --stockage-octets ''",
    )
    .action(act(async () => (await import('./accounts.js')).limitAccount))
  accounts
    .declare('erase <name>', 'delete all data of an account, with its files; its name can never be used again')
    .option('--confirm <name>', 'the name again; without it nothing is deleted')
    .option('--everything', 'also delete the hashes of its chain of evidence; only the end of the chain is kept')
    .note(
      'The account is disabled first. After an interruption, run the same command again. Earlier backups still hold the data.',
    )
    .examples('sav export -o atelier --account atelier', 'sav accounts erase atelier --confirm atelier')
    .action(act(async () => (await import('./accounts.js')).eraseAccount))
}

function addKeyCommands(keys: FieldCommand, act: Act, permissions: PermissionDeclarations): void {
  const width = Math.max(...Object.keys(permissions).map(({ length }) => length))
  reaching(keys, 'create', 'make a key; it is shown once')
    .requiredOption('--name <name>', 'what the key is for: one key per integration')
    .addOption(
      new FieldOption('--permissions <list>', 'such as sav:read,sav:write')
        .listOf(Object.keys(permissions))
        .makeOptionMandatory(),
    )
    .addOption(
      new FieldOption('--expires <duration>', 'how long it is valid, in whole days')
        .argParser(days)
        .default(365, '365d'),
    )
    .option('--allow-ip <cidr...>', 'accept the key from these addresses only')
    .note(
      [
        'Permissions:',
        ...Object.entries(permissions).map(([name, { allows }]) => `  ${name.padEnd(width)}  ${allows}`),
        'A permission to write does not include reading: name both.',
      ].join('\n'),
    )
    .examples(
      'sav keys create --name site --permissions sav:read,sav:write',
      'sav keys create --name erp --permissions sav:read --expires 90d --allow-ip 203.0.113.7 198.51.100.0/24',
    )
    .action(act(async () => (await import('./keys.js')).createKey))
  listing(reaching(keys, 'list', 'keys, newest first, revoked and expired ones too')).action(
    act(async () => (await import('./keys.js')).listKeys),
  )
  reaching(
    keys,
    'roll <id>',
    'make a new key that replaces this one; it is shown once, and the old one works until the overlap ends',
  )
    .addOption(
      new FieldOption(
        '--overlap <duration>',
        'how long the old key still works, at most 7d; with 0s it is revoked now (default: 24h)',
      ).argParser(seconds),
    )
    .action(act(async () => (await import('./keys.js')).rollKey))
  reaching(keys, 'revoke <id>', 'revoke a key for good; it is refused everywhere within a second')
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('./keys.js')).revokeKey))
}

function addAuditCommand(audit: FieldCommand, act: Act): void {
  listing(reaching(audit, 'list', 'calls of the account, newest first'))
    .option('--since <time>', 'from this time (ISO 8601) or day (YYYY-MM-DD) on, or from this long ago (2h)', sinceWhen)
    .option('--until <time>', 'before this time, to the end of this day, or to this long ago (2h)', sinceWhen)
    .option('--key <id>', 'only calls with this key')
    .option('--user <id>', 'only calls by this person')
    .option(
      '--target <target>',
      'only calls about this target: client:13, case:19, key:key_…, endpoint:wh_…, user:usr_…',
      callTarget,
    )
    .option('--writes', 'only calls that write')
    .option('--limit <n>', 'at most this many, 1 to 1000 (default: 50)', integer)
    .addOption(everyOlder)
    .option('--without-key', 'list the calls without a known key instead')
    .examples('sav audit list --since 2026-01-15 --key key_…', 'sav audit list --target client:13 --writes')
    .action(act(async () => (await import('./audit.js')).listAudit))
}
