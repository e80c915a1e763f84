import type { Act } from '../invocation/action.js'
import type { CommandGroup } from '../invocation/command-group.js'
import type { FieldCommand } from '../syntax/field-command.js'
import { withLieu, withRetour } from '../syntax/lieu.js'
import { changing, everyPage, listing, pageNumber, pageSize, reaching } from '../syntax/options.js'
import { integer } from '../syntax/values.js'

/** Clients and poseurs. */
export const directoryCommands: CommandGroup = { heading: 'Directory:', add: addDirectoryCommands }

function addDirectoryCommands(program: FieldCommand, act: Act): void {
  const clients = program.command('clients').description('customers')
  const add = withLieu(reaching(clients, 'add', 'add a client'), 'where installers go')
    .requiredOption('--nom, --name <name>', 'family name')
    .option('--prenom, --first-name <name>', 'first name; a company needs none')
  withContact(add).action(act(async () => (await import('./clients.js')).addClient))
  listing(reaching(clients, 'list', 'clients by name, one page at a time'))
    .option('--recherche, --search <words>', 'words of the name or the e-mail address')
    .addOption(pageSize)
    .addOption(pageNumber)
    .addOption(everyPage)
    .action(act(async () => (await import('./clients.js')).listClients))
  reaching(clients, 'show', 'one client')
    .argument('<id>', 'of the client', integer)
    .action(act(async () => (await import('./clients.js')).showClient))
  const update = changing(reaching(clients, 'update', "change the given fields; '' empties one"))
  withLieu(update, 'where installers go')
    .argument('<id>', 'of the client', integer)
    .option('--nom, --name <name>', 'family name')
    .option('--prenom, --first-name <name>', 'first name')
  withContact(update)
    .option('--no-whatsapp', 'the client does not accept messages by WhatsApp')
    .action(act(async () => (await import('./clients.js')).updateClient))
  reaching(
    clients,
    'erase',
    "replace a client's personal data for good, in every case; hashes and the chain of evidence stay",
  )
    .argument('<id>', 'of the client', integer)
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('./clients.js')).eraseClient))
  addErasureCommands(clients, act)
  addPoseurCommands(program, act)
}

const withContact = (command: FieldCommand): FieldCommand =>
  command
    .option('--raison-sociale, --company-name <name>', 'name of the company')
    .option('--email <address>', 'e-mail address')
    .option('--telephone, --phone <number>', 'telephone number')
    .option('--adresse, --address <text>', 'postal address, as reports print it')
    .option('--whatsapp', 'the client accepts messages by WhatsApp')

function addErasureCommands(clients: FieldCommand, act: Act): void {
  const erasures = listing(
    clients.declare(
      'erasures',
      'the erased clients of all accounts, with number and date; a restore must erase them again',
    ),
  )
    .note(
      'The list has no personal data. Keep the output of --json apart from the store and its backups: sav restore --erasures and sav clients erasures apply read it.',
    )
    .examples('sav clients erasures --json > /mnt/outside/erasures.json')
    .action(act(async () => (await import('./erasures.js')).listErasures))
  erasures
    .declare('apply <file|url>', 'erase these clients again, in a store restored by other means than `sav restore`')
    .option('--yes', 'do not ask')
    .note(
      'FILE is the output of sav clients erasures --json; URL is a store whose erasures are read. Run it after Litestream, pg_restore or a point-in-time restore, before a service starts: a service reuses the numbers of clients added after that point.',
    )
    .examples('sav clients erasures apply /mnt/outside/erasures.json')
    .action(act(async () => (await import('./erasures-again.js')).applyErasures))
}

function addPoseurCommands(program: FieldCommand, act: Act): void {
  const poseurs = program.command('poseurs').description('installers')
  withRetour(withLieu(reaching(poseurs, 'add', 'add a poseur'), 'where the day begins and ends'))
    .requiredOption('--nom, --name <name>', 'full name')
    .option('--email <address>', 'e-mail address')
    .option('--couleur, --colour <colour>', 'colour in the planning, such as #2f7d5b')
    .action(act(async () => (await import('./poseurs.js')).addPoseur))
  withRetour(
    withLieu(
      changing(reaching(poseurs, 'update', "change the given fields; '' empties one")),
      'where the day begins and ends',
    ),
  )
    .argument('<id>', 'of the poseur', integer)
    .option('--nom, --name <name>', 'full name')
    .option('--email <address>', 'e-mail address')
    .option('--couleur, --colour <colour>', 'colour in the planning, such as #2f7d5b')
    .option('--actif, --active', 'cases may be assigned to this poseur')
    .option('--no-actif, --no-active', 'no new cases can be assigned to this poseur')
    .action(act(async () => (await import('./poseurs.js')).updatePoseur))
  listing(reaching(poseurs, 'list', 'poseurs by name, one page at a time'))
    .addOption(pageSize)
    .addOption(pageNumber)
    .addOption(everyPage)
    .action(act(async () => (await import('./poseurs.js')).listPoseurs))
}
