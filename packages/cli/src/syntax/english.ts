import { type Command, Option } from 'commander'

declare module 'commander' {
  // It is an EventEmitter, of which its types tell `on` alone.
  interface Command {
    emit(event: string, value: unknown): boolean
  }
}

/**
 * The flags that are named after the API's French fields, each with its English name. Both do the same; help and completion
 * show the French one, which is also what the field is called everywhere else.
 */
export const englishNames: Readonly<Record<string, string>> = {
  acces: 'access',
  actif: 'active',
  adresse: 'address',
  assureur: 'insurer',
  au: 'to',
  'code-postal': 'postal-code',
  'compte-rendu': 'report',
  'confirmation-rdv': 'appointment-confirmation',
  couleur: 'colour',
  debut: 'start',
  'delai-min': 'lead-time',
  depuis: 'since',
  du: 'from',
  duree: 'duration',
  'equipier-id': 'teammate-id',
  fenetre: 'window',
  fin: 'end',
  fuseau: 'time-zone',
  jeton: 'token',
  ligne1: 'street',
  limite: 'limit',
  mediateur: 'mediator',
  'modifie-depuis': 'changed-since',
  motif: 'reason',
  nom: 'name',
  'nom-expediteur': 'sender-name',
  'notes-internes': 'internal-notes',
  pas: 'step',
  'photo-apres': 'photo-after',
  'photo-avant': 'photo-before',
  'poseur-id': 'installer-id',
  prenom: 'first-name',
  priorite: 'priority',
  'raison-sociale': 'company-name',
  'rappel-rdv': 'appointment-reminder',
  recherche: 'search',
  'repondre-a': 'reply-to',
  reserve: 'reservation',
  resultat: 'result',
  'retour-code-postal': 'return-postal-code',
  'retour-lat': 'return-lat',
  'retour-ligne1': 'return-street',
  'retour-lon': 'return-lon',
  'retour-ville': 'return-town',
  'sav-id': 'case-id',
  'signataire-nom': 'signer-name',
  'signature-requise': 'signature-required',
  statut: 'status',
  tampon: 'buffer',
  telephone: 'phone',
  'type-probleme': 'problem-type',
  'url-publique': 'public-url',
  ville: 'town',
  'zone-feries': 'holidays',
}

/** What French is in words that are for people, in the English that was typed: a problem names the flag that somebody wrote. */
export function asTyped(message: string, { options }: Command, argv: readonly string[]): string {
  const typed = new Set(argv.map((word) => word.replace(/=.*/s, '')))
  let said = message
  for (const { long } of options) {
    const bare = long?.slice(2).replace(/^no-/, '') ?? ''
    const english = englishNames[bare]
    if (english === undefined || typed.has(`--${bare}`) || typed.has(`--no-${bare}`)) continue
    if (typed.has(`--${english}`) || typed.has(`--no-${english}`))
      said = said.replaceAll(new RegExp(`--(no-)?${bare}(?![\\w-])`, 'g'), `--$1${english}`)
  }
  return said
}

/** Lets every command below take the English names too. */
export function withEnglishNames(command: Command): void {
  for (const option of [...command.options]) {
    const bare = option.long?.slice(2).replace(/^no-/, '') ?? ''
    const english = englishNames[bare]
    if (english === undefined) continue
    const flags = option.flags.replace(/^(?:-\w, )?--(no-)?[\w-]+/, `--$1${english}`)
    const alias = new Option(flags).hideHelp()
    if (option.argChoices !== undefined) alias.argChoices = option.argChoices
    // What it would itself keep is nobody's: the option that it stands for is told, and parses it.
    command.addOption(alias)
    command.on(`option:${alias.name()}`, (value: unknown) => command.emit(`option:${option.name()}`, value))
  }
  for (const each of command.commands) withEnglishNames(each)
}
