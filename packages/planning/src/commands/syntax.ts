import {
  type Act,
  type CommandGroup,
  dayAndTime,
  degrees,
  type FieldCommand,
  FieldOption,
  integer,
  integers,
  listing,
  reaching,
  widened,
  within,
} from '@sav/command/feature'
import { rdvResultats, rdvTypes, typesProbleme } from '@sav/core/names'

const time = "when, in the account's time zone (2026-03-16T09:00), or with an offset (2026-03-16T09:00+01:00)"

/** Appointments, free times, rounds, and installers' working time. */
export const planningCommands: CommandGroup = {
  heading: 'Planning:',
  add: addPlanningCommands,
  addWithin: addFollowUpCommands,
}

function addFollowUpCommands(program: FieldCommand, act: Act): void {
  const cases = within(program, 'cases')
  if (cases === undefined) return
  reaching(cases, 'todo', 'follow-ups: what somebody must deal with, newest first').action(
    act(async () => (await import('./todo.js')).listTodo),
  )
  reaching(cases, 'done <item>', 'mark a follow-up of `sav cases todo` as dealt with').action(
    act(async () => (await import('./todo.js')).doneTodo),
  )
}

function addPlanningCommands(program: FieldCommand, act: Act): void {
  const planning = program
    .command('planning')
    .description("appointments (rdv), free times and rounds; times are in the account's time zone")
  const command = (words: string, description: string) => reaching(planning, words, description)
  const ofRdv = (name: string, description: string) =>
    command(name, description).argument('<id>', 'of the appointment', integer)

  command('week', 'draw a week, by poseur')
    .option('--date <date>', 'any day of the week, as YYYY-MM-DD (default: today)')
    .option('--poseur-id, --installer-id <n>', 'of this poseur only', integer)
    .action(act(async () => (await import('./days.js')).planningWeek))
  listing(command('day', 'the appointments of a day'))
    .option('--date <date>', 'as YYYY-MM-DD (default: today)')
    .option('--poseur-id, --installer-id <n>', 'of this poseur only', integer)
    .action(act(async () => (await import('./days.js')).planningDay))
  listing(command('slots', 'free times, the least travel first; --json has the token of each'))
    .requiredOption('--duree, --duration <minutes>', 'how long it takes', integer)
    .option('--sav-id, --case-id <n>', 'for this case, with its place and its type', integer)
    .option('--code-postal, --postal-code <code>', 'postal code of the place; or --lat and --lon')
    .option('--ville, --town <town>', 'town of the place')
    .option('--lat <degrees>', 'latitude of the place', degrees)
    .option('--lon <degrees>', 'longitude of the place', degrees)
    .addOption(
      new FieldOption('--type-probleme, --problem-type <type>', 'only poseurs who can do this').choices(typesProbleme),
    )
    .option('--du, --from <date>', 'first day (default: today)')
    .option('--au, --to <date>', 'last day, at most 92 days (default: two weeks)')
    .option('--poseur-id, --installer-id <n>', 'of this poseur only', integer)
    .option('--pas, --step <minutes>', "begin at multiples of this many minutes (default: the account's)", integer)
    .option('--tampon, --buffer <minutes>', 'time to leave free before and after (default: 0)', integer)
    .option(
      '--delai-min, --lead-time <minutes>',
      'begin no sooner than this many minutes from now (default: 0)',
      integer,
    )
    .option('--fenetre, --window <hours>', 'within these hours of the day, as 08:00-12:00')
    .option('--limite, --limit <n>', 'at most this many, 1 to 200 (default: 50)', integer)
    .examples('sav planning slots --duree 90 --sav-id 1 --fenetre 08:00-12:00')
    .action(act(async () => (await import('./rdv.js')).listSlots))
  command('book', 'book an appointment: a slot (--jeton), or a time of your choice')
    .option('--poseur-id, --installer-id <n>', 'who goes', integer)
    .option('--debut, --start <time>', time, dayAndTime)
    .option('--duree, --duration <minutes>', 'how long it takes', integer)
    .option('--jeton, --token <token>', 'the token of a slot, instead of poseur, start and duration')
    .option('--client-id <n>', 'the client', integer)
    .option('--sav-id, --case-id <n>', 'of this case', integer)
    .addOption(new FieldOption('--type <type>', 'the kind of appointment').choices(rdvTypes))
    .addOption(new FieldOption('--statut, --status <statut>', 'its state').choices(['propose', 'planifie', 'confirme']))
    .option('--equipier-id, --teammate-id <n...>', 'who comes along', integers)
    .option('--notes <text>', 'notes for the installer')
    .examples('sav planning book --poseur-id 1 --debut 2026-03-16T09:00 --duree 90 --client-id 1')
    .action(act(async () => (await import('./rdv.js')).bookRdv))
  ofRdv('show', 'show one appointment').action(act(async () => (await import('./rdv.js')).showRdv))
  ofRdv('move', 'move an appointment to another time, and optionally to another poseur')
    .requiredOption('--debut, --start <time>', time, dayAndTime)
    .option('--duree, --duration <minutes>', 'how long it takes (default: as before)', integer)
    .option('--poseur-id, --installer-id <n>', 'who goes instead', integer)
    .action(act(async () => (await import('./rdv.js')).moveRdv))
  ofRdv('confirm', 'mark an appointment as confirmed by the customer').action(
    act(async () => (await import('./rdv.js')).confirmRdv),
  )
  ofRdv('cancel', 'cancel an appointment')
    .requiredOption('--motif, --reason <text>', 'why, in 1 to 500 characters')
    .action(act(async () => (await import('./rdv.js')).cancelRdv))
  ofRdv('done', 'record that the visit took place; its case stays open')
    .addOption(
      new FieldOption('--resultat, --result <result>', 'how it ended').choices(rdvResultats).makeOptionMandatory(),
    )
    .option('--compte-rendu, --report <text>', 'what was done')
    .action(act(async () => (await import('./rdv.js')).completeRdv))
  command('optimise', 'plan the rounds of a day with the least travel; --apply changes the appointments')
    .requiredOption('--date <date>', 'as YYYY-MM-DD')
    .option('--poseur-id, --installer-id <n...>', 'of these poseurs (default: all active ones)', integers)
    .option('--apply', 'change the appointments')
    .action(act(async () => (await import('./optimise.js')).optimiseRounds))
  addAgendaCommands(command, act)
}

/** Installers' working time, skills, and calendars. */
function addAgendaCommands(command: (words: string, description: string) => FieldCommand, act: Act): void {
  const ofPoseur = (name: string, description: string) =>
    command(name, description).argument('<poseur>', 'number of the poseur', integer)

  widened(ofPoseur('hours', 'when a poseur works, in local time'))
    .option('--file <file>', 'replace the hours by this JSON; - reads standard input')
    .option('--reset', 'replace the hours by Monday to Friday, 08:00–12:00 and 13:00–17:00')
    .note(
      'The JSON is what --json prints: { "periodes": [{ "du", "au", "semaine": { "lundi": [{ "debut": "08:00", "fin": "12:00" }] } }], "exceptions": [{ "date", "plages" }] }. A day without an entry is a day off.',
    )
    .action(act(async () => (await import('./agendas.js')).poseurHours))
  widened(ofPoseur('absences', 'when a poseur is absent, and which appointments are during an absence'))
    .option('--debut, --start <time>', 'add an absence from this time, as 2026-08-03T08:00', dayAndTime)
    .option('--fin, --end <time>', 'until this time', dayAndTime)
    .option('--motif, --reason <text>', 'why')
    .option(
      '--file <file>',
      'replace all absences by this JSON, a list of { debut, fin, motif }; - reads standard input',
    )
    .option('--clear', 'remove all absences')
    .action(act(async () => (await import('./agendas.js')).poseurAbsences))
  command('ics', 'make an address for calendar programs, for one poseur or for all; your earlier address stops working')
    .argument('[poseur]', 'number of the poseur (default: the whole account)', integer)
    .option('--open', 'open it in the calendar program of this computer')
    .action(act(async () => (await import('./ics.js')).renewCalendar))
  ofPoseur('skills', 'what a poseur can do')
    .addOption(
      new FieldOption(
        '--set <types>',
        `the only skills from now on: some of ${typesProbleme.join(', ')}; '' for all`,
      ).listOf(typesProbleme),
    )
    .action(act(async () => (await import('./agendas.js')).poseurSkills))
}
