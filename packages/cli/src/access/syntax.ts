import { permissions, zonesFeries } from '@sav/core/names'
import type { Act } from '../invocation/action.js'
import { type FieldCommand, FieldOption } from '../syntax/field-command.js'
import { withLieu } from '../syntax/lieu.js'
import { everyOlder, listing, reaching } from '../syntax/options.js'
import { days, integer, seconds, sinceWhen } from '../syntax/values.js'

/** Accounts and their API keys. */
export function addAccessCommands(program: FieldCommand, act: Act): void {
  addLoginCommands(program, act)
  addAccountCommands(program.declare('accounts', 'holders of cases, keys and everything else'), act)
  addKeyCommands(program.declare('keys', 'API keys of an account'), act)
  addAuditCommand(program.declare('audit', 'who called the API, and what was answered'), act)
}

function addLoginCommands(program: FieldCommand, act: Act): void {
  const login = () => import('./login.js')
  program
    .declare('login <url>', 'keep a key of a running service, which commands then call')
    .note(
      'The key is asked for at a terminal, and else read from standard input; SAV_API_KEY goes before both. A command calls the service that --url, SAV_URL, --profile or SAV_PROFILE names, and the one of a login without --profile where nothing names a store and none is in ./sav-data.',
    )
    .examples('sav login https://sav.example', 'sav login https://sav.example --profile lyon < key')
    .action(act(async () => (await login()).login))
  program.declare('logout', 'forget the key of a login').action(act(async () => (await login()).logout))
  listing(program.declare('profiles', 'the services that you logged in to')).action(
    act(async () => (await login()).listProfiles),
  )
}

function addAccountCommands(accounts: FieldCommand, act: Act): void {
  accounts.declare('add <name>', 'add an account').action(act(async () => (await import('./accounts.js')).addAccount))
  listing(accounts.declare('list', 'every account of the store')).action(
    act(async () => (await import('./accounts.js')).listAccounts),
  )
  reaching(
    accounts,
    'show [name]',
    'what an account says of itself (default: that of --account, or of the key)',
  ).action(act(async () => (await import('./accounts.js')).showAccount))
  withLieu(
    reaching(
      accounts,
      'update [name]',
      "change what an account says of itself (default: as for show); '' empties a field",
    ),
    'where the shop is',
  )
    .option('--raison-sociale, --company-name <text>', 'company name, as printed')
    .option('--adresse, --address <text>', 'postal address, as printed')
    .option('--siret <number>', '14 digits')
    .option('--email <address>', 'where notices go')
    .option('--telephone, --phone <number>', 'where customers call')
    .option('--assureur, --insurer <text>', 'insurer with the number of the contract, as printed')
    .option('--mediateur, --mediator <text>', 'consumer mediator with its address, as printed')
    .option('--logo <file>', 'image, as printed')
    .option('--signature-requise, --signature-required', "close no case without the customer's signature")
    .option('--no-signature-requise, --no-signature-required', 'close cases without it too')
    .option(
      '--confirmation-rdv, --appointment-confirmation',
      'write to customers when an appointment is made, moved or confirmed',
    )
    .option('--no-confirmation-rdv, --no-appointment-confirmation', 'do not')
    .option('--rappel-rdv, --appointment-reminder', 'remind customers of appointments the day before, at 17:00')
    .option('--no-rappel-rdv, --no-appointment-reminder', 'do not')
    .option('--prevenir-bureau, --tell-office', 'write to --email when a customer cancels or moves an appointment')
    .option('--no-prevenir-bureau, --no-tell-office', 'do not')
    .addOption(
      new FieldOption('--zone-feries, --holidays <zone>', 'whose public holidays are free').choices(zonesFeries),
    )
    .option('--fuseau, --time-zone <zone>', "time zone of the planning, as Indian/Reunion; '' for the service's")
    .addOption(
      new FieldOption('--pas, --step <minutes>', 'at which times visits begin: 5, 10, 15, 20, 30 or 60').argParser(
        integer,
      ),
    )
    .option('--nom-expediteur, --sender-name <name>', 'whom e-mails are from, if not the company')
    .option('--repondre-a, --reply-to <address>', 'where answers to e-mails go, if not to --email')
    .option('--url-publique, --public-url <url>', 'what links to customers begin with, if not SAV_PUBLIC_URL')
    .option('--textes-terrain, --field-texts <text...>', 'all short texts that installers choose from on their phones')
    .action(act(async () => (await import('./accounts.js')).updateAccount))
}

function addKeyCommands(keys: FieldCommand, act: Act): void {
  reaching(keys, 'create', 'make a key; it is shown once')
    .requiredOption('--name <name>', 'what the key is for: one key per integration')
    .addOption(
      new FieldOption('--permissions <list>', 'such as sav:read,sav:write').listOf(permissions).makeOptionMandatory(),
    )
    .addOption(new FieldOption('--expires <days>', 'how long it is valid').argParser(days).default(365, '365d'))
    .option('--allow-ip <cidr...>', 'accept the key from these addresses only')
    .note(`Permissions: ${permissions.join(', ')} (everything)`)
    .examples(
      'sav keys create --name site --permissions sav:read,sav:write',
      'sav keys create --name erp --permissions sav:read --expires 90d --allow-ip 203.0.113.7 198.51.100.0/24',
    )
    .action(act(async () => (await import('./keys.js')).createKey))
  listing(reaching(keys, 'list', 'newest first, revoked and expired ones too')).action(
    act(async () => (await import('./keys.js')).listKeys),
  )
  reaching(
    keys,
    'roll <id>',
    'make the successor of a key; it is shown once, and the old one works until the overlap ends',
  )
    .addOption(
      new FieldOption(
        '--overlap <duration>',
        'how long the old one works too, at most 7d; 0s ends it now (default: 24h)',
      ).argParser(seconds),
    )
    .action(act(async () => (await import('./keys.js')).rollKey))
  reaching(keys, 'revoke <id>', 'end a key, in every process within a second')
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('./keys.js')).revokeKey))
}

function addAuditCommand(audit: FieldCommand, act: Act): void {
  listing(reaching(audit, 'list', 'calls of the account, newest first'))
    .option(
      '--since <time>',
      'at this instant (ISO 8601) or on this day (YYYY-MM-DD) or later, or so long ago (2h)',
      sinceWhen,
    )
    .option('--until <time>', 'before this instant, until the end of this day, or until so long ago', sinceWhen)
    .option('--key <id>', 'with this key')
    .option('--user <id>', 'by this person')
    .option('--target <target>', 'about this alone: client:13, case:19, key:key_…, endpoint:wh_…, user:usr_…')
    .option('--writes', 'only what writes')
    .option('--limit <n>', 'at most this many, 1 to 1000 (default: 50)', integer)
    .addOption(everyOlder)
    .option('--without-key', 'instead: the calls that came without a key that is known')
    .examples('sav audit list --since 2026-01-15 --key key_…', 'sav audit list --target client:13 --writes')
    .action(act(async () => (await import('./audit.js')).listAudit))
}
