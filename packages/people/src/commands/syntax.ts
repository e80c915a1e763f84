import {
  type Act,
  type CommandGroup,
  type FieldCommand,
  FieldOption,
  integer,
  listing,
  reaching,
} from '@sav/command/feature'
import { roles } from '@sav/core/names'
import { Argument } from 'commander'

const roleNotes = [
  'administration: everything',
  'gestion: cases, customers, installers and planning; reads deliveries',
  'atelier: reads and closes cases; planning',
  'poseur: own visits, on a phone; needs --poseur-id',
  'lecture: reads cases, customers and planning',
]

/** Users of the console. */
export const userCommands: CommandGroup = { heading: 'Accounts and keys:', place: 1, add: addUserCommands }

function addUserCommands(program: FieldCommand, act: Act): void {
  const users = program.command('users').description('people who work with the console')
  const command = (words: string, description: string) => reaching(users, words, description)

  command('add', 'add a person, who first signs in with an invitation')
    .requiredOption('--nom, --name <name>', 'the name that the history shows')
    .requiredOption('--email <address>', 'unique in the account')
    .addOption(new FieldOption('--role <role>', 'what the person may do').choices(roles).makeOptionMandatory())
    .option('--poseur-id, --installer-id <n>', 'the person’s installer record (poseur)', integer)
    .note(roleNotes.join('\n'))
    .examples('sav users add --nom "Claire Petit" --email claire@petit.example --role gestion')
    .action(act(async () => (await import('./users.js')).addUser))
  command('invite <id>', 'make a link that signs a person in, once, within 15 minutes')
    .addOption(new FieldOption('--mail', 'send the link by e-mail instead of showing it').conflicts('open'))
    .option('--open', 'open the link in the browser at once')
    .action(act(async () => (await import('./users.js')).inviteUser))
  listing(command('list', 'people by name')).action(act(async () => (await import('./users.js')).listUsers))
  command('role <id>', 'change the role of a person')
    .addArgument(new Argument('<role>', 'what the person may do from now on').choices(roles))
    .option('--poseur-id, --installer-id <n>', 'the person’s installer record (poseur)', integer)
    .note(roleNotes.join('\n'))
    .action(act(async () => (await import('./users.js')).changeRole))
  command('disable <id>', 'sign a person out everywhere, and refuse further sign-ins')
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('./users.js')).disableUser))
  command('enable <id>', 'let a person sign in again').action(act(async () => (await import('./users.js')).enableUser))
  listing(command('sessions <id>', 'list the sessions of a person'))
    .option('--end', 'end all sessions within a second')
    .action(act(async () => (await import('./users.js')).listSessions))
  command('devices <id>', 'list a person’s phones in the field, and how much each has not sent yet')
    .option('--end <device>', 'sign this phone out within a second, and erase its data at its next contact')
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('./users.js')).listDevices))

  reaching(
    program,
    'field-link <user>',
    'make a link and a QR code that sign an installer in on a phone, within 15 minutes',
  )
    .note('The address in the link, SAV_PUBLIC_URL or --url, must be https.')
    .action(act(async () => (await import('./field-link.js')).fieldLink))
}
