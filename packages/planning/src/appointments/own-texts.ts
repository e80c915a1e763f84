/**
 * What the service writes itself where people write about appointments: in French, the language of its letters. The console
 * says them in the language of its reader.
 */
export const ownTexts = {
  absent: 'Client absent le {quand}.',
  confirmed: 'Confirmé par le client : {quand}.',
  moved: 'Déplacé par le client : du {avant} au {quand}.',
  movedUntold: 'Déplacé : aucun courrier ne prévient le client.',
  cancelled: 'Annulé par le client.',
  cancelledFor: 'Annulé par le client : {motif}',
  expired: 'La proposition a expiré.',
  closed: 'Le dossier est clos.',
} as const
