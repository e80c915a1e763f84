import { letterChannels, priorites, rdvResultats, statuts, typesProbleme } from '@sav/core/names'
import type { Act } from '../invocation/action.js'
import type { CommandGroup } from '../invocation/command-group.js'
import { type FieldCommand, FieldOption } from '../syntax/field-command.js'
import { changing, everyPage, listing, pageNumber, pageSize, reaching } from '../syntax/options.js'
import { integer, repeatable } from '../syntax/values.js'

export const caseCommands: CommandGroup = { heading: 'Cases:', place: 1, add: addCaseCommands }

function addCaseCommands(program: FieldCommand, act: Act): void {
  const priorite = new FieldOption('--priorite, --priority <priorite>', 'how urgent').choices(priorites)
  const typeProbleme = new FieldOption('--type-probleme, --problem-type <type>', 'kind of problem').choices(
    typesProbleme,
  )
  const statut = (among: readonly string[]) =>
    new FieldOption('--statut, --status <statut>', 'its state').choices(among)

  const cases = program.command('cases').description('after-sales cases; ID is a number or a reference, SAV-2026-00001')
  const command = (words: string, description: string) => reaching(cases, words, description)
  listing(command('list', 'cases, newest first or in the order of --tri, one page at a time'))
    .addOption(statut([...statuts, 'non_clos']))
    .option('--client-id <n>', 'only cases of this client', integer)
    .option('--poseur-id, --installer-id <n>', 'only cases assigned to this poseur', integer)
    .option('--depuis, --since <date>', 'only cases created on this day (YYYY-MM-DD) or later')
    .option('--modifie-depuis, --changed-since <date>', 'changed on this day (YYYY-MM-DD), at this instant, or later')
    .addOption(priorite)
    .addOption(typeProbleme)
    .option('--recherche, --search <words>', "words of the reference, the description or the client's name")
    .option(
      '--tri, --sort <order>',
      'by date_creation, date_modification, priorite, client or ville; a leading - reverses the order',
    )
    .addOption(pageSize)
    .addOption(pageNumber)
    .addOption(everyPage)
    .option('--watch', 'show it again every 2 s, until Ctrl-C')
    .examples(
      'sav cases list --statut non_clos --priorite urgente',
      "sav cases list --depuis 2026-01-15 --recherche 'four'",
      'sav cases list --statut ouvert --tri ville',
    )
    .action(act(async () => (await import('./cases.js')).listCases))
  command('show <id>', 'one case with its history and its evidence').action(
    act(async () => (await import('./cases.js')).showCase),
  )
  command('create', 'open a case')
    .requiredOption('--client-id <n>', 'the client that the case is for', integer)
    .requiredOption('--description <text>', 'the problem, in 10 to 2000 characters')
    .addOption(priorite)
    .addOption(typeProbleme)
    .option('--photo <file...>', 'images or http(s) links, at most 10')
    .examples(
      "sav cases create --client-id 1 --description 'La porte du four ne ferme plus' --priorite haute",
      "sav cases create --client-id 1 --description 'Tiroir à régler' --photo avant.jpg detail.jpg",
    )
    .action(act(async () => (await import('./cases.js')).createCase))
  changing(command('update <id>', 'change an open case'))
    .addOption(statut(statuts.filter((each) => each !== 'clos')))
    .option('--poseur-id, --installer-id <n>', 'assign it to a poseur', integer)
    .option('--no-poseur-id, --no-installer-id', 'leave it without a poseur')
    .option('--notes-internes, --internal-notes <text>', 'notes that the customer never sees')
    .option('--no-notes-internes, --no-internal-notes', 'remove the notes')
    .addOption(priorite)
    .addOption(typeProbleme)
    .action(act(async () => (await import('./cases.js')).updateCase))
  command('close <id>', 'close a case and record its evidence')
    .option('--resolution <text>', 'what was done, in 10 to 4000 characters (required, unless the client was erased)')
    .option('--photo-avant, --photo-before <file>', 'photo from before the work')
    .option('--photo-apres, --photo-after <file>', 'photo from after the work')
    .option('--signature <file>', "the customer's signature, a PNG")
    .option('--signataire-nom, --signer-name <name>', 'who signed')
    .option(
      '--reserve, --reservation <text>',
      'what the customer does not accept yet (réserve); may be repeated',
      repeatable,
    )
    .option('--rdv-id, --appointment-id <n>', 'also end this appointment of the case', integer)
    .addOption(new FieldOption('--resultat, --result <resultat>', 'how that appointment ended').choices(rdvResultats))
    .examples(
      "sav cases close SAV-2026-00001 --resolution 'Charnière remplacée' --photo-apres apres.jpg --signature signature.png",
    )
    .action(act(async () => (await import('./cases.js')).closeCase))
  addAdditionCommands(command, act)
  command('reopen <id>', 'open a closed case again')
    .requiredOption('--motif, --reason <text>', 'why, in 10 to 1000 characters')
    .action(act(async () => (await import('./cases.js')).reopenCase))
  command('report <id>', 'write the reception report of the latest close to a file')
    .requiredOption('-o, --output <file>', 'a new PDF file')
    .option('--open', 'open the file at once')
    .action(act(async () => (await import('./case-files.js')).saveReport))
  command('files <id>', 'write the photos and the signature of a case to a directory')
    .requiredOption('-o, --output <directory>', 'a directory, created if missing; existing files are kept')
    .action(act(async () => (await import('./case-files.js')).saveFiles))
  command('send-report <id>', 'send the reception report of a closed case, or send it again')
    .addOption(new FieldOption('--channel <channel>', 'only by this channel').choices(letterChannels))
    .action(act(async () => (await import('./cases.js')).sendReport))
  command('export', 'every case, newest first, as a stream')
    .addOption(new FieldOption('--format <format>', 'of the file').choices(['csv', 'ndjson']).default('csv'))
    .option('--excel', 'CSV for a French Excel: semicolons, and a byte order mark')
    .examples('sav cases export > cases.csv', 'sav cases export --format ndjson | head')
    .action(act(async () => (await import('./cases-export.js')).exportCases))
}

/** Commands that add comments and photos to a case, and list its comments. */
function addAdditionCommands(command: (words: string, description: string) => FieldCommand, act: Act): void {
  command('comment <id>', 'add a comment to a case, open or closed; it cannot be changed later')
    .requiredOption('--texte, --text <text>', 'the comment, in 1 to 5000 characters')
    .examples("sav cases comment SAV-2026-00001 --texte 'La cliente rappelle : la fuite a repris.'")
    .action(act(async () => (await import('./additions.js')).commentCase))
  command('comments <id>', 'the comments on a case, newest first')
    .option('--limite, --limit <n>', 'at most this many, 1 to 200 (default: 50)', integer)
    .action(act(async () => (await import('./additions.js')).listComments))
  command('add-photos <id>', 'add photos to a case, open or closed')
    .requiredOption('--photo <file...>', 'images or http(s) links, at most 10')
    .option('--rdv-id, --appointment-id <n>', 'the appointment at which they were taken', integer)
    .action(act(async () => (await import('./additions.js')).addPhotos))
}
