import type { Act } from '../invocation/action.js'
import { type FieldCommand, FieldOption } from '../syntax/field-command.js'
import { withLieu, withRetour } from '../syntax/lieu.js'
import { everyPage, listing, pageNumber, pageSize, reaching } from '../syntax/options.js'
import { integer } from '../syntax/values.js'

/** Clients and poseurs. */
export function addDirectoryCommands(program: FieldCommand, act: Act): void {
  const clients = program.command('clients').description('customers, whom cases concern')
  withLieu(reaching(clients, 'add', 'add a client'), 'where installers go')
    .requiredOption('--nom, --name <name>', 'family name')
    .option('--prenom, --first-name <name>', 'first name, which a company may be without')
    .option('--raison-sociale, --company-name <name>', 'name of the company')
    .option('--email <address>')
    .option('--telephone, --phone <number>')
    .option('--adresse, --address <text>')
    .option('--whatsapp', 'the client agreed to be written to by WhatsApp')
    .action(act(async () => (await import('./clients.js')).addClient))
  listing(reaching(clients, 'list', 'by name, one page at a time'))
    .option('--recherche, --search <words>', 'words of the name or the e-mail address')
    .addOption(pageSize)
    .addOption(pageNumber)
    .addOption(everyPage)
    .action(act(async () => (await import('./clients.js')).listClients))
  reaching(clients, 'show', 'one client')
    .argument('<id>', 'of the client', integer)
    .action(act(async () => (await import('./clients.js')).showClient))
  withLieu(reaching(clients, 'update', "change what is given; '' empties a field"), 'where installers go')
    .argument('<id>', 'of the client', integer)
    .option('--nom, --name <name>', 'family name')
    .option('--prenom, --first-name <name>', 'first name')
    .option('--raison-sociale, --company-name <name>', 'name of the company')
    .option('--email <address>')
    .option('--telephone, --phone <number>')
    .option('--adresse, --address <text>')
    .option('--whatsapp', 'the client agreed to be written to by WhatsApp')
    .option('--no-whatsapp', 'the client did not')
    .action(act(async () => (await import('./clients.js')).updateClient))
  reaching(
    clients,
    'import <file>',
    'add the clients of a CSV file: all of them, or none if a line is bad; - reads standard input',
  )
    .option('--dry-run', 'check the file and add nobody')
    .addOption(
      new FieldOption('--duplicates <what>', 'what becomes of lines about somebody who is there already')
        .choices(['skip', 'merge', 'refuse'])
        .default('skip'),
    )
    .option('--errors <file>', 'leave bad lines out, and write them there with what is wrong')
    .note(
      'The first line names the columns: nom, prénom and, as you like, e-mail, téléphone, adresse, code postal, ville, whatsapp (oui or non). UTF-8 or Windows-1252; separated by commas or by semicolons. Somebody is there already with the same e-mail, or the same name and telephone: skipped, completed where something was empty (merge), or a reason to add nobody (refuse). After an interruption, the same command again goes on.',
    )
    .examples(
      'sav clients import clients.csv --dry-run',
      'sav clients import export-excel.csv --duplicates merge --errors a-corriger.csv',
    )
    .action(act(async () => (await import('./clients-import.js')).importClients))

  reaching(
    clients,
    'erase',
    "replace a client's personal data for good, in every case; hashes and the chain of evidence stay",
  )
    .argument('<id>', 'of the client', integer)
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('./clients.js')).eraseClient))
  listing(
    clients.declare('erasures', 'who was erased, by number and date, of all accounts: what a restore has to repeat'),
  )
    .note(
      'It holds nothing personal: keep what --json prints apart from the store and its backups, and give it to sav restore --erasures.',
    )
    .examples('sav clients erasures --json > /mnt/outside/erasures.json')
    .action(act(async () => (await import('./erasures.js')).listErasures))

  const poseurs = program.command('poseurs').description('installers, to whom cases are assigned')
  withRetour(withLieu(reaching(poseurs, 'add', 'add a poseur'), 'where the day begins and ends'))
    .requiredOption('--nom, --name <name>', 'full name')
    .option('--email <address>')
    .option('--couleur, --colour <colour>', 'in which plannings draw them, as #2f7d5b')
    .action(act(async () => (await import('./poseurs.js')).addPoseur))
  withRetour(
    withLieu(reaching(poseurs, 'update', "change what is given; '' empties a field"), 'where the day begins and ends'),
  )
    .argument('<id>', 'of the poseur', integer)
    .option('--nom, --name <name>', 'full name')
    .option('--email <address>')
    .option('--couleur, --colour <colour>', 'in which plannings draw them, as #2f7d5b')
    .option('--actif, --active', 'cases may be assigned to him')
    .option('--no-actif, --no-active', 'no more cases are assigned to him')
    .action(act(async () => (await import('./poseurs.js')).updatePoseur))
  listing(reaching(poseurs, 'list', 'by name, one page at a time'))
    .addOption(pageSize)
    .addOption(pageNumber)
    .addOption(everyPage)
    .action(act(async () => (await import('./poseurs.js')).listPoseurs))
}
