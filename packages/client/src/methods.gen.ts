// Made from the routes of @sav/http-node: npm test -- client-operations -u rewrites it.
import type { Answer, CallOptions, Each, InputArguments } from './client.js'

/** Each method by its group: how it is called, at which path, and where its input goes. */
export const operations = {
  cases: {
    list: 'get /api/v1/sav query',
    each: 'each /api/v1/sav query',
    export: 'get /api/v1/sav/export query',
    create: 'post /api/v1/sav body',
    get: 'get /api/v1/sav/{id}',
    update: 'put /api/v1/sav/{id} body',
    close: 'post /api/v1/sav/{id}/cloturer body',
    reopen: 'post /api/v1/sav/{id}/rouvrir body',
    listComments: 'get /api/v1/sav/{id}/commentaires query',
    eachComments: 'each /api/v1/sav/{id}/commentaires query',
    addComment: 'post /api/v1/sav/{id}/commentaires body',
    addPhotos: 'post /api/v1/sav/{id}/photos body',
    sendReport: 'post /api/v1/sav/{id}/pv/envoyer body',
    getProof: 'get /api/v1/sav/{id}/preuve query',
    checkProof: 'get /api/v1/sav/{id}/preuve/verification',
    getFile: 'get /api/v1/sav/{id}/fichiers/{sha256}',
    getReport: 'get /api/v1/sav/{id}/pv',
    listRdv: 'get /api/v1/sav/{id}/rdv query',
    eachRdv: 'each /api/v1/sav/{id}/rdv query',
  },
  evidence: {
    list: 'get /api/v1/preuves query',
    each: 'each /api/v1/preuves query',
  },
  clients: {
    list: 'get /api/v1/clients query',
    each: 'each /api/v1/clients query',
    add: 'post /api/v1/clients body',
    get: 'get /api/v1/clients/{id}',
    update: 'put /api/v1/clients/{id} body',
    erase: 'post /api/v1/clients/{id}/effacer',
  },
  poseurs: {
    list: 'get /api/v1/poseurs query',
    each: 'each /api/v1/poseurs query',
    add: 'post /api/v1/poseurs body',
    get: 'get /api/v1/poseurs/{id}',
    update: 'put /api/v1/poseurs/{id} body',
  },
  webhooks: {
    list: 'get /api/v1/webhooks',
    add: 'post /api/v1/webhooks body',
    get: 'get /api/v1/webhooks/{endpoint}',
    update: 'put /api/v1/webhooks/{endpoint} body',
    remove: 'delete /api/v1/webhooks/{endpoint}',
    enable: 'post /api/v1/webhooks/{endpoint}/activer',
    disable: 'post /api/v1/webhooks/{endpoint}/desactiver',
    test: 'post /api/v1/webhooks/{endpoint}/tester body',
    getActivity: 'get /api/v1/webhooks/{endpoint}/activite',
    rotateSecret: 'post /api/v1/webhooks/{endpoint}/renouveler-secret body',
    listDeliveries: 'get /api/v1/webhooks/livraisons query',
    eachDeliveries: 'each /api/v1/webhooks/livraisons query',
    getDelivery: 'get /api/v1/webhooks/livraisons/{delivery}',
    retry: 'post /api/v1/webhooks/livraisons/{delivery}/rejouer',
    startReplay: 'post /api/v1/webhooks/livraisons/rejouer body',
    listReplays: 'get /api/v1/webhooks/livraisons/rejouer query',
    eachReplays: 'each /api/v1/webhooks/livraisons/rejouer query',
    getReplay: 'get /api/v1/webhooks/livraisons/rejouer/{replay}',
    cancelReplay: 'post /api/v1/webhooks/livraisons/rejouer/{replay}/annuler',
  },
  keys: {
    list: 'get /api/v1/cles',
    create: 'post /api/v1/cles body',
    get: 'get /api/v1/cles/{key}',
    revoke: 'delete /api/v1/cles/{key}',
    roll: 'post /api/v1/cles/{key}/renouveler body',
  },
  account: {
    get: 'get /api/v1/compte',
    update: 'put /api/v1/compte body',
    previewReport: 'get /api/v1/compte/apercu-pv',
  },
  session: {
    get: 'get /api/v1/session',
    endOwn: 'delete /api/v1/session/sessions/{session}',
    listViews: 'get /api/v1/session/vues',
    putViews: 'put /api/v1/session/vues body',
    signOut: 'delete /api/v1/session',
    listOwnSessions: 'get /api/v1/session/sessions',
    removePasskey: 'delete /api/v1/session/passkeys/{passkey}',
  },
  audit: {
    list: 'get /api/v1/audit query',
    each: 'each /api/v1/audit query',
  },
  users: {
    list: 'get /api/v1/utilisateurs',
    add: 'post /api/v1/utilisateurs body',
    get: 'get /api/v1/utilisateurs/{user}',
    update: 'put /api/v1/utilisateurs/{user} body',
    invite: 'post /api/v1/utilisateurs/{user}/inviter body',
    listSessions: 'get /api/v1/utilisateurs/{user}/sessions',
    endSessions: 'delete /api/v1/utilisateurs/{user}/sessions',
    endSession: 'delete /api/v1/utilisateurs/{user}/sessions/{session}',
    listDevices: 'get /api/v1/utilisateurs/{user}/appareils',
    endDevice: 'delete /api/v1/utilisateurs/{user}/appareils/{appareil}',
  },
  planning: {
    list: 'get /v1/planning query',
    each: 'each /v1/planning query',
    book: 'post /v1/planning/rdv body',
    get: 'get /v1/planning/{id}',
    change: 'patch /v1/planning/{id} body',
    replace: 'post /v1/planning/replacer body',
    begin: 'post /v1/planning/{id}/debut body',
    miss: 'post /v1/planning/{id}/absent body',
    delay: 'post /v1/planning/{id}/retard body',
    listSlots: 'get /v1/planning/creneaux query',
    getHoraires: 'get /v1/planning/poseurs/{id}/horaires',
    putHoraires: 'put /v1/planning/poseurs/{id}/horaires body',
    getAbsences: 'get /v1/planning/poseurs/{id}/absences',
    putAbsences: 'put /v1/planning/poseurs/{id}/absences body',
    getCompetences: 'get /v1/planning/poseurs/{id}/competences',
    putCompetences: 'put /v1/planning/poseurs/{id}/competences body',
    getRounds: 'get /v1/planning/tournees query',
    optimiseRounds: 'post /v1/planning/tournees/optimiser body',
    undoRounds: 'post /v1/planning/tournees/annuler body',
    renewCalendar: 'post /v1/planning/calendrier',
    renewPoseurCalendar: 'post /v1/planning/poseurs/{id}/calendrier',
    tellIntervention: 'post /v1/planning/{id}/intervention body',
  },
  followUps: {
    list: 'get /api/v1/a-traiter',
    done: 'post /api/v1/a-traiter/{followUp}/fait',
  },
  field: {
    get: 'get /api/v1/terrain query',
    nameDevice: 'put /api/v1/terrain/appareil body',
    getFile: 'get /api/v1/terrain/dossiers/{id}/fichiers/{sha256} query',
    getReport: 'get /api/v1/terrain/dossiers/{id}/pv',
    listSlots: 'get /api/v1/terrain/rdv/{id}/creneaux query',
    sendFile: 'put /api/v1/fichiers/{sha256} body',
  },
  service: {
    getHealth: 'get /api/v1/sante',
    checkReport: 'get /verifier/{hash}',
    healthz: 'get /healthz',
    readyz: 'get /readyz',
    contract: 'get /openapi.json',
    docs: 'get /docs',
    docsScript: 'get /docs/reference.js',
    getCalendar: 'get /calendriers/{calendar}',
    getRdvPage: 'get /rdv/{rdvPage}',
    answerRdvPage: 'post /rdv/{rdvPage}',
    search: 'get /api/v1/recherche query',
    getStatistics: 'get /api/v1/statistiques query',
  },
} as const

/** Every call of the API by a name: the parameters of its path, then its query or body, then headers and a signal. */
export interface Methods {
  readonly cases: {
    /** List cases, newest first unless `tri` sets another order */
    list(...input: InputArguments<'GET', '/api/v1/sav', 'query'>): Promise<Answer<'GET', '/api/v1/sav'>>
    /** List cases, newest first unless `tri` sets another order: every one, page after page */
    each(...input: InputArguments<'GET', '/api/v1/sav', 'query'>): Each<'/api/v1/sav'>
    /** Export the cases of a list to a spreadsheet */
    export(...input: InputArguments<'GET', '/api/v1/sav/export', 'query'>): Promise<Answer<'GET', '/api/v1/sav/export'>>
    /** Create a case */
    create(...input: InputArguments<'POST', '/api/v1/sav', 'body'>): Promise<Answer<'POST', '/api/v1/sav'>>
    /** Read a case with its history */
    get(id: number, options?: CallOptions): Promise<Answer<'GET', '/api/v1/sav/{id}'>>
    /** Change a case */
    update(id: number, ...input: InputArguments<'PUT', '/api/v1/sav/{id}', 'body'>): Promise<Answer<'PUT', '/api/v1/sav/{id}'>>
    /** Close a case */
    close(id: number, ...input: InputArguments<'POST', '/api/v1/sav/{id}/cloturer', 'body'>): Promise<Answer<'POST', '/api/v1/sav/{id}/cloturer'>>
    /** Reopen a closed case */
    reopen(id: number, ...input: InputArguments<'POST', '/api/v1/sav/{id}/rouvrir', 'body'>): Promise<Answer<'POST', '/api/v1/sav/{id}/rouvrir'>>
    /** List the comments on a case, newest first */
    listComments(id: number, ...input: InputArguments<'GET', '/api/v1/sav/{id}/commentaires', 'query'>): Promise<Answer<'GET', '/api/v1/sav/{id}/commentaires'>>
    /** List the comments on a case, newest first: every one, page after page */
    eachComments(id: number, ...input: InputArguments<'GET', '/api/v1/sav/{id}/commentaires', 'query'>): Each<'/api/v1/sav/{id}/commentaires'>
    /** Comment on a case, open or closed */
    addComment(id: number, ...input: InputArguments<'POST', '/api/v1/sav/{id}/commentaires', 'body'>): Promise<Answer<'POST', '/api/v1/sav/{id}/commentaires'>>
    /** Add photos to a case, open or closed */
    addPhotos(id: number, ...input: InputArguments<'POST', '/api/v1/sav/{id}/photos', 'body'>): Promise<Answer<'POST', '/api/v1/sav/{id}/photos'>>
    /** Send the reception report, or send it again */
    sendReport(id: number, ...input: InputArguments<'POST', '/api/v1/sav/{id}/pv/envoyer', 'body'>): Promise<Answer<'POST', '/api/v1/sav/{id}/pv/envoyer'>>
    /** Read the evidence of a close */
    getProof(id: number, ...input: InputArguments<'GET', '/api/v1/sav/{id}/preuve', 'query'>): Promise<Answer<'GET', '/api/v1/sav/{id}/preuve'>>
    /** Check each close of a case against the stored data */
    checkProof(id: number, options?: CallOptions): Promise<Answer<'GET', '/api/v1/sav/{id}/preuve/verification'>>
    /** Read a photo, a signature or a report of a case */
    getFile(id: number, sha256: string, options?: CallOptions): Promise<Answer<'GET', '/api/v1/sav/{id}/fichiers/{sha256}'>>
    /** Read the reception report (PV de réception) */
    getReport(id: number, options?: CallOptions): Promise<Answer<'GET', '/api/v1/sav/{id}/pv'>>
    /** List the appointments of a case, past and future */
    listRdv(id: number, ...input: InputArguments<'GET', '/api/v1/sav/{id}/rdv', 'query'>): Promise<Answer<'GET', '/api/v1/sav/{id}/rdv'>>
    /** List the appointments of a case, past and future: every one, page after page */
    eachRdv(id: number, ...input: InputArguments<'GET', '/api/v1/sav/{id}/rdv', 'query'>): Each<'/api/v1/sav/{id}/rdv'>
  }
  readonly evidence: {
    /** List the entries of the chain of evidence, oldest first */
    list(...input: InputArguments<'GET', '/api/v1/preuves', 'query'>): Promise<Answer<'GET', '/api/v1/preuves'>>
    /** List the entries of the chain of evidence, oldest first: every one, page after page */
    each(...input: InputArguments<'GET', '/api/v1/preuves', 'query'>): Each<'/api/v1/preuves'>
  }
  readonly clients: {
    /** List clients */
    list(...input: InputArguments<'GET', '/api/v1/clients', 'query'>): Promise<Answer<'GET', '/api/v1/clients'>>
    /** List clients: every one, page after page */
    each(...input: InputArguments<'GET', '/api/v1/clients', 'query'>): Each<'/api/v1/clients'>
    /** Add a client */
    add(...input: InputArguments<'POST', '/api/v1/clients', 'body'>): Promise<Answer<'POST', '/api/v1/clients'>>
    /** Read a client */
    get(id: number, options?: CallOptions): Promise<Answer<'GET', '/api/v1/clients/{id}'>>
    /** Change a client */
    update(id: number, ...input: InputArguments<'PUT', '/api/v1/clients/{id}', 'body'>): Promise<Answer<'PUT', '/api/v1/clients/{id}'>>
    /** Erase the personal data of a client */
    erase(id: number, options?: CallOptions): Promise<Answer<'POST', '/api/v1/clients/{id}/effacer'>>
  }
  readonly poseurs: {
    /** List installers */
    list(...input: InputArguments<'GET', '/api/v1/poseurs', 'query'>): Promise<Answer<'GET', '/api/v1/poseurs'>>
    /** List installers: every one, page after page */
    each(...input: InputArguments<'GET', '/api/v1/poseurs', 'query'>): Each<'/api/v1/poseurs'>
    /** Add an installer */
    add(...input: InputArguments<'POST', '/api/v1/poseurs', 'body'>): Promise<Answer<'POST', '/api/v1/poseurs'>>
    /** Read an installer */
    get(id: number, options?: CallOptions): Promise<Answer<'GET', '/api/v1/poseurs/{id}'>>
    /** Change an installer */
    update(id: number, ...input: InputArguments<'PUT', '/api/v1/poseurs/{id}', 'body'>): Promise<Answer<'PUT', '/api/v1/poseurs/{id}'>>
  }
  readonly webhooks: {
    /** List receivers, oldest first */
    list(options?: CallOptions): Promise<Answer<'GET', '/api/v1/webhooks'>>
    /** Add a receiver */
    add(...input: InputArguments<'POST', '/api/v1/webhooks', 'body'>): Promise<Answer<'POST', '/api/v1/webhooks'>>
    /** Read a receiver */
    get(endpoint: string, options?: CallOptions): Promise<Answer<'GET', '/api/v1/webhooks/{endpoint}'>>
    /** Change a receiver */
    update(endpoint: string, ...input: InputArguments<'PUT', '/api/v1/webhooks/{endpoint}', 'body'>): Promise<Answer<'PUT', '/api/v1/webhooks/{endpoint}'>>
    /** Remove a receiver */
    remove(endpoint: string, options?: CallOptions): Promise<Answer<'DELETE', '/api/v1/webhooks/{endpoint}'>>
    /** Enable a receiver again */
    enable(endpoint: string, options?: CallOptions): Promise<Answer<'POST', '/api/v1/webhooks/{endpoint}/activer'>>
    /** Disable a receiver */
    disable(endpoint: string, options?: CallOptions): Promise<Answer<'POST', '/api/v1/webhooks/{endpoint}/desactiver'>>
    /** Send a `webhook.test` to a receiver */
    test(endpoint: string, ...input: InputArguments<'POST', '/api/v1/webhooks/{endpoint}/tester', 'body'>): Promise<Answer<'POST', '/api/v1/webhooks/{endpoint}/tester'>>
    /** Read the outcomes of a receiver’s deliveries in the last 24 hours */
    getActivity(endpoint: string, options?: CallOptions): Promise<Answer<'GET', '/api/v1/webhooks/{endpoint}/activite'>>
    /** Give a receiver a new secret */
    rotateSecret(endpoint: string, ...input: InputArguments<'POST', '/api/v1/webhooks/{endpoint}/renouveler-secret', 'body'>): Promise<Answer<'POST', '/api/v1/webhooks/{endpoint}/renouveler-secret'>>
    /** List deliveries, newest first */
    listDeliveries(...input: InputArguments<'GET', '/api/v1/webhooks/livraisons', 'query'>): Promise<Answer<'GET', '/api/v1/webhooks/livraisons'>>
    /** List deliveries, newest first: every one, page after page */
    eachDeliveries(...input: InputArguments<'GET', '/api/v1/webhooks/livraisons', 'query'>): Each<'/api/v1/webhooks/livraisons'>
    /** Read a delivery with its attempts */
    getDelivery(delivery: string, options?: CallOptions): Promise<Answer<'GET', '/api/v1/webhooks/livraisons/{delivery}'>>
    /** Attempt a delivery again */
    retry(delivery: string, options?: CallOptions): Promise<Answer<'POST', '/api/v1/webhooks/livraisons/{delivery}/rejouer'>>
    /** Attempt every matching delivery again */
    startReplay(...input: InputArguments<'POST', '/api/v1/webhooks/livraisons/rejouer', 'body'>): Promise<Answer<'POST', '/api/v1/webhooks/livraisons/rejouer'>>
    /** List replays, newest first */
    listReplays(...input: InputArguments<'GET', '/api/v1/webhooks/livraisons/rejouer', 'query'>): Promise<Answer<'GET', '/api/v1/webhooks/livraisons/rejouer'>>
    /** List replays, newest first: every one, page after page */
    eachReplays(...input: InputArguments<'GET', '/api/v1/webhooks/livraisons/rejouer', 'query'>): Each<'/api/v1/webhooks/livraisons/rejouer'>
    /** Read the progress of a replay */
    getReplay(replay: string, options?: CallOptions): Promise<Answer<'GET', '/api/v1/webhooks/livraisons/rejouer/{replay}'>>
    /** Cancel a replay */
    cancelReplay(replay: string, options?: CallOptions): Promise<Answer<'POST', '/api/v1/webhooks/livraisons/rejouer/{replay}/annuler'>>
  }
  readonly keys: {
    /** List keys, newest first */
    list(options?: CallOptions): Promise<Answer<'GET', '/api/v1/cles'>>
    /** Create a key */
    create(...input: InputArguments<'POST', '/api/v1/cles', 'body'>): Promise<Answer<'POST', '/api/v1/cles'>>
    /** Read a key */
    get(key: string, options?: CallOptions): Promise<Answer<'GET', '/api/v1/cles/{key}'>>
    /** Revoke a key */
    revoke(key: string, options?: CallOptions): Promise<Answer<'DELETE', '/api/v1/cles/{key}'>>
    /** Replace a key */
    roll(key: string, ...input: InputArguments<'POST', '/api/v1/cles/{key}/renouveler', 'body'>): Promise<Answer<'POST', '/api/v1/cles/{key}/renouveler'>>
  }
  readonly account: {
    /** Read the account */
    get(options?: CallOptions): Promise<Answer<'GET', '/api/v1/compte'>>
    /** Change the account */
    update(...input: InputArguments<'PUT', '/api/v1/compte', 'body'>): Promise<Answer<'PUT', '/api/v1/compte'>>
    /** Read a sample of the reception report */
    previewReport(options?: CallOptions): Promise<Answer<'GET', '/api/v1/compte/apercu-pv'>>
  }
  readonly session: {
    /** Read who the caller is */
    get(options?: CallOptions): Promise<Answer<'GET', '/api/v1/session'>>
    /** Sign the caller out of one device */
    endOwn(session: string, options?: CallOptions): Promise<Answer<'DELETE', '/api/v1/session/sessions/{session}'>>
    /** List the caller’s saved views */
    listViews(options?: CallOptions): Promise<Answer<'GET', '/api/v1/session/vues'>>
    /** Replace the caller’s saved views */
    putViews(...input: InputArguments<'PUT', '/api/v1/session/vues', 'body'>): Promise<Answer<'PUT', '/api/v1/session/vues'>>
    /** Sign out here */
    signOut(options?: CallOptions): Promise<Answer<'DELETE', '/api/v1/session'>>
    /** List where the caller is signed in, newest first */
    listOwnSessions(options?: CallOptions): Promise<Answer<'GET', '/api/v1/session/sessions'>>
    /** Remove one of the caller’s passkeys */
    removePasskey(passkey: string, options?: CallOptions): Promise<Answer<'DELETE', '/api/v1/session/passkeys/{passkey}'>>
  }
  readonly audit: {
    /** List the calls of the account, newest first */
    list(...input: InputArguments<'GET', '/api/v1/audit', 'query'>): Promise<Answer<'GET', '/api/v1/audit'>>
    /** List the calls of the account, newest first: every one, page after page */
    each(...input: InputArguments<'GET', '/api/v1/audit', 'query'>): Each<'/api/v1/audit'>
  }
  readonly users: {
    /** List people, by name */
    list(options?: CallOptions): Promise<Answer<'GET', '/api/v1/utilisateurs'>>
    /** Add a person */
    add(...input: InputArguments<'POST', '/api/v1/utilisateurs', 'body'>): Promise<Answer<'POST', '/api/v1/utilisateurs'>>
    /** Read a person */
    get(user: string, options?: CallOptions): Promise<Answer<'GET', '/api/v1/utilisateurs/{user}'>>
    /** Change a person */
    update(user: string, ...input: InputArguments<'PUT', '/api/v1/utilisateurs/{user}', 'body'>): Promise<Answer<'PUT', '/api/v1/utilisateurs/{user}'>>
    /** Send or make a link that signs a person in once */
    invite(user: string, ...input: InputArguments<'POST', '/api/v1/utilisateurs/{user}/inviter', 'body'>): Promise<Answer<'POST', '/api/v1/utilisateurs/{user}/inviter'>>
    /** List a person’s sessions, newest first */
    listSessions(user: string, options?: CallOptions): Promise<Answer<'GET', '/api/v1/utilisateurs/{user}/sessions'>>
    /** End all sessions of a person */
    endSessions(user: string, options?: CallOptions): Promise<Answer<'DELETE', '/api/v1/utilisateurs/{user}/sessions'>>
    /** End one session of a person */
    endSession(user: string, session: string, options?: CallOptions): Promise<Answer<'DELETE', '/api/v1/utilisateurs/{user}/sessions/{session}'>>
    /** List a person’s phones in the field */
    listDevices(user: string, options?: CallOptions): Promise<Answer<'GET', '/api/v1/utilisateurs/{user}/appareils'>>
    /** Sign a phone out, and erase its data */
    endDevice(user: string, appareil: string, options?: CallOptions): Promise<Answer<'DELETE', '/api/v1/utilisateurs/{user}/appareils/{appareil}'>>
  }
  readonly planning: {
    /** List appointments of local days, by default of the current week */
    list(...input: InputArguments<'GET', '/v1/planning', 'query'>): Promise<Answer<'GET', '/v1/planning'>>
    /** List appointments of local days, by default of the current week: every one, page after page */
    each(...input: InputArguments<'GET', '/v1/planning', 'query'>): Each<'/v1/planning'>
    /** Book an appointment */
    book(...input: InputArguments<'POST', '/v1/planning/rdv', 'body'>): Promise<Answer<'POST', '/v1/planning/rdv'>>
    /** Read an appointment */
    get(id: number, options?: CallOptions): Promise<Answer<'GET', '/v1/planning/{id}'>>
    /** Move, confirm, cancel or complete an appointment */
    change(id: number, ...input: InputArguments<'PATCH', '/v1/planning/{id}', 'body'>): Promise<Answer<'PATCH', '/v1/planning/{id}'>>
    /** Move appointments to other installers or times, in one write */
    replace(...input: InputArguments<'POST', '/v1/planning/replacer', 'body'>): Promise<Answer<'POST', '/v1/planning/replacer'>>
    /** Report that work has begun at one’s own visit */
    begin(id: number, ...input: InputArguments<'POST', '/v1/planning/{id}/debut', 'body'>): Promise<Answer<'POST', '/v1/planning/{id}/debut'>>
    /** Report that the customer was absent */
    miss(id: number, ...input: InputArguments<'POST', '/v1/planning/{id}/absent', 'body'>): Promise<Answer<'POST', '/v1/planning/{id}/absent'>>
    /** Report a delay */
    delay(id: number, ...input: InputArguments<'POST', '/v1/planning/{id}/retard', 'body'>): Promise<Answer<'POST', '/v1/planning/{id}/retard'>>
    /** Find free times for a visit */
    listSlots(...input: InputArguments<'GET', '/v1/planning/creneaux', 'query'>): Promise<Answer<'GET', '/v1/planning/creneaux'>>
    /** Read an installer’s hours */
    getHoraires(id: number, options?: CallOptions): Promise<Answer<'GET', '/v1/planning/poseurs/{id}/horaires'>>
    /** Replace an installer’s hours */
    putHoraires(id: number, ...input: InputArguments<'PUT', '/v1/planning/poseurs/{id}/horaires', 'body'>): Promise<Answer<'PUT', '/v1/planning/poseurs/{id}/horaires'>>
    /** Read an installer’s absences */
    getAbsences(id: number, options?: CallOptions): Promise<Answer<'GET', '/v1/planning/poseurs/{id}/absences'>>
    /** Replace an installer’s absences */
    putAbsences(id: number, ...input: InputArguments<'PUT', '/v1/planning/poseurs/{id}/absences', 'body'>): Promise<Answer<'PUT', '/v1/planning/poseurs/{id}/absences'>>
    /** Read an installer’s skills */
    getCompetences(id: number, options?: CallOptions): Promise<Answer<'GET', '/v1/planning/poseurs/{id}/competences'>>
    /** Replace an installer’s skills */
    putCompetences(id: number, ...input: InputArguments<'PUT', '/v1/planning/poseurs/{id}/competences', 'body'>): Promise<Answer<'PUT', '/v1/planning/poseurs/{id}/competences'>>
    /** Read the rounds of a day */
    getRounds(...input: InputArguments<'GET', '/v1/planning/tournees', 'query'>): Promise<Answer<'GET', '/v1/planning/tournees'>>
    /** Plan the rounds of a day with the least travel */
    optimiseRounds(...input: InputArguments<'POST', '/v1/planning/tournees/optimiser', 'body'>): Promise<Answer<'POST', '/v1/planning/tournees/optimiser'>>
    /** Undo applied rounds */
    undoRounds(...input: InputArguments<'POST', '/v1/planning/tournees/annuler', 'body'>): Promise<Answer<'POST', '/v1/planning/tournees/annuler'>>
    /** Make a new address for the calendar of the whole account */
    renewCalendar(options?: CallOptions): Promise<Answer<'POST', '/v1/planning/calendrier'>>
    /** Make a new address for an installer’s calendar */
    renewPoseurCalendar(id: number, options?: CallOptions): Promise<Answer<'POST', '/v1/planning/poseurs/{id}/calendrier'>>
    /** Report the work at one’s own visit, and optionally close its case */
    tellIntervention(id: number, ...input: InputArguments<'POST', '/v1/planning/{id}/intervention', 'body'>): Promise<Answer<'POST', '/v1/planning/{id}/intervention'>>
  }
  readonly followUps: {
    /** List follow-ups, newest first */
    list(options?: CallOptions): Promise<Answer<'GET', '/api/v1/a-traiter'>>
    /** Mark a follow-up as done */
    done(followUp: string, options?: CallOptions): Promise<Answer<'POST', '/api/v1/a-traiter/{followUp}/fait'>>
  }
  readonly field: {
    /** Read one’s own visits, from 7 days ago to 14 days ahead */
    get(...input: InputArguments<'GET', '/api/v1/terrain', 'query'>): Promise<Answer<'GET', '/api/v1/terrain'>>
    /** Report the name of this phone, and how much it has not sent yet */
    nameDevice(...input: InputArguments<'PUT', '/api/v1/terrain/appareil', 'body'>): Promise<Answer<'PUT', '/api/v1/terrain/appareil'>>
    /** Read a file of the case of one’s own visit */
    getFile(id: number, sha256: string, ...input: InputArguments<'GET', '/api/v1/terrain/dossiers/{id}/fichiers/{sha256}', 'query'>): Promise<Answer<'GET', '/api/v1/terrain/dossiers/{id}/fichiers/{sha256}'>>
    /** Read the reception report of the case of one’s own visit */
    getReport(id: number, options?: CallOptions): Promise<Answer<'GET', '/api/v1/terrain/dossiers/{id}/pv'>>
    /** Find times for another visit */
    listSlots(id: number, ...input: InputArguments<'GET', '/api/v1/terrain/rdv/{id}/creneaux', 'query'>): Promise<Answer<'GET', '/api/v1/terrain/rdv/{id}/creneaux'>>
    /** Send a photo or a signature, before the report that names it */
    sendFile(sha256: string, ...input: InputArguments<'PUT', '/api/v1/fichiers/{sha256}', 'body'>): Promise<Answer<'PUT', '/api/v1/fichiers/{sha256}'>>
  }
  readonly service: {
    /** Read the health of deliveries, and the service’s delivery channels */
    getHealth(options?: CallOptions): Promise<Answer<'GET', '/api/v1/sante'>>
    /** Check the hash on a reception report */
    checkReport(hash: string, options?: CallOptions): Promise<Answer<'GET', '/verifier/{hash}'>>
    /** Whether the process runs */
    healthz(options?: CallOptions): Promise<Answer<'GET', '/healthz'>>
    /** Whether the service can work */
    readyz(options?: CallOptions): Promise<Answer<'GET', '/readyz'>>
    /** This contract */
    contract(options?: CallOptions): Promise<Answer<'GET', '/openapi.json'>>
    /** This contract as a page */
    docs(options?: CallOptions): Promise<Answer<'GET', '/docs'>>
    /** The script of the page `/docs` */
    docsScript(options?: CallOptions): Promise<Answer<'GET', '/docs/reference.js'>>
    /** Read a calendar by its secret address */
    getCalendar(calendar: string, options?: CallOptions): Promise<Answer<'GET', '/calendriers/{calendar}'>>
    /** Read the page where a customer answers about an appointment */
    getRdvPage(rdvPage: string, options?: CallOptions): Promise<Answer<'GET', '/rdv/{rdvPage}'>>
    /** Confirm, move or cancel an appointment, or say how to get in, as its customer */
    answerRdvPage(rdvPage: string, options?: CallOptions): Promise<Answer<'POST', '/rdv/{rdvPage}'>>
    /** Find cases, clients and appointments */
    search(...input: InputArguments<'GET', '/api/v1/recherche', 'query'>): Promise<Answer<'GET', '/api/v1/recherche'>>
    /** Read the statistics of a period */
    getStatistics(...input: InputArguments<'GET', '/api/v1/statistiques', 'query'>): Promise<Answer<'GET', '/api/v1/statistiques'>>
  }
}
