/** Texts that the service itself writes into appointments, in French, as letters are. The console translates them. */
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
