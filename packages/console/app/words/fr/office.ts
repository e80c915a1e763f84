export const toDo = {
  title: 'À traiter',
  types: {
    rdv_annule_client: 'Le client a annulé',
    rdv_deplace_client: 'Le client a déplacé',
    client_absent: 'Client absent',
    rdv_pendant_absence: 'Visite pendant une absence',
    rapport_non_remis: 'Procès-verbal non remis',
    recepteur_en_echec: 'Webhook en échec',
    terrain: 'Signalé du terrain',
  },
  done: 'Traité',
  doneFor: (what: string) => `Marquer comme traité : ${what}`,
  nothing: 'Rien n’attend : tout est traité.',
  toCase: 'Dossier',
  toVisit: 'Rendez-vous',
  toReceiver: 'Webhooks',
}

export const finder = {
  title: 'Tout rechercher',
  hint: 'Ce que dit le client : nom, rue, ville, téléphone, mots du problème, numéro',
  nothing: 'Rien ne correspond.',
  found: (n: number) => (n === 1 ? '1 résultat' : `${n} résultats`),
  caseFor: (name: string) => `Nouveau dossier pour ${name}`,
  bookFor: (what: string) => `Planifier une visite : ${what}`,
  newCase: 'Nouveau dossier',
  book: 'Planifier',
  keys: 'Raccourcis clavier',
  keysHere: {
    find: 'Rechercher partout',
    search: 'Rechercher dans la liste ouverte, ou partout',
    new: 'Nouveau dossier ; nouveau client, nouveau rendez-vous sur leurs pages',
    help: 'Cette aide',
    rows: 'Ligne suivante, ligne précédente d’une liste',
    close: 'Fermer',
  },
}
