import type { Command } from 'commander'
import type { Act } from '../invocation/action.js'
import { examples, paragraph } from '../syntax/help-text.js'
import { pageNumber, pageSize } from '../syntax/options.js'
import { integer } from '../syntax/values.js'

/** Clients and poseurs. */
export function addDirectoryCommands(program: Command, act: Act): void {
  const clients = program.command('clients').description('customers, whom cases concern')
  clients
    .command('add')
    .description('add a client')
    .requiredOption('--nom <name>', 'family name')
    .requiredOption('--prenom <name>', 'first name')
    .option('--email <address>')
    .option('--telephone <number>')
    .option('--adresse <text>')
    .option('--whatsapp', 'the client agreed to be written to by WhatsApp')
    .action(act(async () => (await import('./clients.js')).addClient))
  clients
    .command('list')
    .description('by name, one page at a time')
    .option('--recherche <words>', 'words of the name or the e-mail address')
    .addOption(pageSize)
    .addOption(pageNumber)
    .action(act(async () => (await import('./clients.js')).listClients))
  clients
    .command('import <file>')
    .description('add the clients of a CSV file: all of them, or none if a line is bad')
    .option('--dry-run', 'check the file and add nobody')
    .addHelpText(
      'after',
      paragraph(
        'The first line names the columns: nom, prenom and, as you like, email, telephone, adresse, whatsapp (oui or non). UTF-8; separated by commas or by semicolons.',
      ),
    )
    .addHelpText('after', examples(['sav clients import clients.csv --dry-run']))
    .action(act(async () => (await import('./clients-import.js')).importClients))

  clients
    .command('erase')
    .description("replace a client's personal data for good, in every case; hashes and the chain of evidence stay")
    .argument('<id>', 'of the client', integer)
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('./clients.js')).eraseClient))

  const poseurs = program.command('poseurs').description('installers, to whom cases are assigned')
  poseurs
    .command('add')
    .description('add a poseur')
    .requiredOption('--nom <name>', 'full name')
    .action(act(async () => (await import('./poseurs.js')).addPoseur))
  poseurs
    .command('list')
    .description('by name, one page at a time')
    .addOption(pageSize)
    .addOption(pageNumber)
    .action(act(async () => (await import('./poseurs.js')).listPoseurs))
}
