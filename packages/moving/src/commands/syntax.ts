import {
  type Act,
  type CommandGroup,
  encodingOption,
  type FieldCommand,
  FieldOption,
  integer,
  reaching,
  within,
} from '@sav/command/feature'

const outputOption = ['-o, --output <directory>', 'a new or empty directory, or one of an interrupted export'] as const

const repeated = (value: string, before: readonly string[] = []) => [...before, value]

/** Import from other systems, and export to them. */
export const movingCommands: CommandGroup = {
  heading: 'Import and export:',
  add: addMovingCommands,
  addWithin: addMovingWithin,
}

function addMovingCommands(program: FieldCommand, act: Act): void {
  program
    .declare('import <files...>', 'import clients, poseurs, cases and visits of another system; safe to run again')
    .addOption(
      new FieldOption('--type <what>', 'the type of the rows, if the headings do not show it').choices([
        'clients',
        'poseurs',
        'cases',
        'visits',
      ]),
    )
    .option(
      '--map <column=field>',
      'the field of a column, such as "Nom du tiers=nom"; "Remise=" leaves it out; "statut: À faire=ouvert" maps a value; may be repeated',
      repeated,
    )
    .option('--mapping <name>', '`dolibarr`, or a file with the columns of each type of row (see docs/moving.md)')
    .option('--dry-run', 'write nothing into the store: show the result for the first rows, and count all rows')
    .option(
      '--errors <file>',
      'write refused rows to this file, each with the reason; correct it, then run the command that is shown',
    )
    .addOption(encodingOption())
    .note(
      'A file is CSV as spreadsheets save it (separated by ; , tab or |, in any of their encodings) with the names of the columns in its first line, or NDJSON. Dates are written 03/04/2024 or 2024-04-03. Of several files, clients are read first, then poseurs, cases and visits. A row is recognised by its id_externe, a case without one by its reference_origine, any other row by all its values. A changed row is updated, and nothing is added twice. A value that is not changed, although the file differs, is counted as kept, and its reason is shown. No letters or webhooks are sent.',
    )
    .examples(
      'sav import clients.csv dossiers.csv --dry-run',
      'sav import tiers.csv tickets.csv interventions.csv --mapping dolibarr --errors a-corriger.csv',
      'sav import clients.csv --map "Nom du tiers=nom" --map "Mél=email"',
    )
    .action(act(async () => (await import('./import.js')).importFiles))
  program
    .declare('export', 'write the whole account with its files into a directory; `sav import` reads it')
    .requiredOption(...outputOption)
    .note(
      'The command writes clients.ndjson, poseurs.ndjson, cases.ndjson, visits.ndjson, and the files in fichiers/. Erased clients are left out, as are keys, users, webhooks and the chain of evidence, which sav backup contains. After an interruption, run the same command again: it keeps the files that are complete.',
    )
    .examples('sav export -o sortie', 'sav --account lyon export -o lyon')
    .action(act(async () => (await import('./export.js')).exportAccount))
}

/** Import and export of clients only, or of one account, added to the groups of those commands. */
function addMovingWithin(program: FieldCommand, act: Act): void {
  const clients = within(program, 'clients')
  if (clients !== undefined) addClientImport(clients, act)
  clients
    ?.declare('export', 'write all data about a client into a directory, with the files')
    .argument('<id>', 'of the client', integer)
    .requiredOption(...outputOption)
    .action(act(async () => (await import('./export.js')).exportClient))
  within(program, 'accounts')
    ?.declare('export <name>', 'write a whole account into a directory, like sav export')
    .requiredOption(...outputOption)
    .action(act(async () => (await import('./export.js')).exportNamed))
}

function addClientImport(clients: FieldCommand, act: Act): void {
  reaching(
    clients,
    'import <file>',
    'add the clients of a CSV file: all of them, or none if a line is bad; - reads standard input',
  )
    .option('--dry-run', 'only check the file')
    .addOption(
      new FieldOption('--duplicates <what>', 'what to do with a line about a client who exists already')
        .choices(['skip', 'merge', 'refuse'])
        .default('skip'),
    )
    .option('--errors <file>', 'skip bad lines, and write them to this file with their problems')
    .addOption(encodingOption())
    .note(
      'The file is CSV or NDJSON, as sav import reads it: the first line names the columns, nom among them. A client with the same e-mail, or with the same name and telephone, exists already. Such a line is skipped (skip), fills empty fields (merge), or is a bad line (refuse). After an interruption, run the same command again: it continues.',
    )
    .examples(
      'sav clients import clients.csv --dry-run',
      'sav clients import export-excel.csv --duplicates merge --errors a-corriger.csv',
    )
    .action(act(async () => (await import('./clients-import.js')).importClients))
}
