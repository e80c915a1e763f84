import { translating } from '../retold.js'

/** The French sentences that the service writes into stored texts, in English. */
export const ownTexts: Readonly<Record<string, string>> = {
  'Client absent le {quand}.': 'Customer absent on {quand}.',
  'Confirmé par le client : {quand}.': 'Confirmed by the customer: {quand}.',
  'Déplacé par le client : du {avant} au {quand}.': 'Moved by the customer: from {avant} to {quand}.',
  'Déplacé : aucun courrier ne prévient le client.': 'Moved: the customer is not notified.',
  'Annulé par le client.': 'Cancelled by the customer.',
  'Annulé par le client : {motif}': 'Cancelled by the customer: {motif}',
  'La proposition a expiré.': 'The proposal has expired.',
  'Le dossier est clos.': 'The case is closed.',
  'Début de visite sur place le {quand}.': 'Visit begun on {quand}.',
  'Intervention sur place le {quand}.': 'Work on site on {quand}.',
  'Client absent sur place le {quand}.': 'Customer absent on site on {quand}.',
  'Retard sur place le {quand}.': 'Late on site on {quand}.',
  'Ajout sur place le {quand}.': 'Added on site on {quand}.',
  'Le rendez-vous avait été déplacé au {debut}.': 'The appointment had been moved to {debut}.',
  'Le rendez-vous avait été donné à {poseur}.': 'The appointment had been reassigned to {poseur}.',
  'Le rendez-vous était annulé, et le reste.': 'The appointment was cancelled, and stays cancelled.',
  'Le rendez-vous était déjà terminé, et reste comme il était.': 'The appointment had already ended, and is unchanged.',
  'Le dossier était déjà clos : la clôture du terrain y est ajoutée.':
    'The case was already closed: the close on site was added to it.',
  'Le dossier dit autre chose que ce qui a été signé. Signé : « {signee} » Maintenant : « {actuelle} »':
    'The case differs from the signed text. Signed: “{signee}” Now: “{actuelle}”',
  'La prochaine visite n’a pas pu être réservée : à fixer.':
    'The next visit could not be booked, and must be arranged.',
  'Souhait pour la prochaine visite : « {souhait} »': 'Request for the next visit: “{souhait}”',
  'Clos avant la reprise des données.': 'Closed before the data migration.',
  'Rouvert dans l’ancien système.': 'Reopened in the previous system.',
  '(effacé)': '(erased)',
}

const translated = translating(ownTexts)

/** A stored text in English if the service wrote it. Texts by users stay unchanged. */
export const stored = (text: string): string => translated(text) ?? text
