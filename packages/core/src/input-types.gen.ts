// Made from the schemas of inputs.gen.ts: npm test -- client-operations -u rewrites it.

/** What each use case takes. */
export interface Inputs {
  createKey: {
    /** Name. At most 120 characters. */
    nom: string
    /** What it may do. */
    permissions: string[]
    /** When the key expires: an instant, or the start of a day. By default in a year. */
    expire?: string | undefined
    /** Addresses and CIDRs from which the key may be used; empty: any. At most 100. */
    ips?: string[] | undefined
  }
  rollKey: {
    /** For how many seconds the old key still works beside the new one; 0 for a key that has leaked. From 0 to 604800. */
    chevauchement_secondes?: number | undefined
  }
  listAudit: {
    /** At this time or later: an instant, or a local day. */
    since?: string | undefined
    /** The end: on or before a day, or before an instant. */
    until?: string | undefined
    /** Id of an API key: `key_…`. At most 100 characters. */
    key_id?: string | undefined
    /** Id of a person: `usr_…`. At most 100 characters. */
    user_id?: string | undefined
    /** Only calls about this target: `client:13`, `case:19`, `key:key_…`. At most 100 characters. */
    target?: string | undefined
    /** Only calls by methods that write, whatever their outcome. */
    writes?: 'true' | undefined
    /** Adds to each call the name of its `target`. */
    noms?: 'true' | undefined
    /** The `curseur` of the previous page. At most 8000 characters. */
    curseur?: string | undefined
    /** The maximum number of calls on a page. From 1 to 1000. */
    limite?: number | undefined
  }
  views: {
    /** Saved views: filters by their names. At most 50. */
    vues: {
      /** Name. At most 100 characters. */
      nom: string
      /** The address of the view in the console: `/dossiers?statut=ouvert`. At most 2000 characters. */
      adresse: string
    }[]
  }
  createCase: {
    /** Number of the client. */
    client_id: number
    /** What it is about, in words. 10 to 2000 characters. */
    description: string
    /** Kind of problem. */
    type_probleme?: 'quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre' | undefined
    /** Priority. */
    priorite?: 'basse' | 'normale' | 'haute' | 'urgente' | undefined
    /** Photos: `data:` URLs of base64. At most 10. */
    photos?: string[] | undefined
    /** The installer to assign, who must be active. */
    poseur_id?: number | null | undefined
  }
  updateCase: {
    /** Status. */
    statut?: 'ouvert' | 'en_cours' | 'clos' | undefined
    /** Number of the installer. */
    poseur_id?: number | null | undefined
    /** Kind of problem. */
    type_probleme?: 'quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre' | undefined
    /** Priority. */
    priorite?: 'basse' | 'normale' | 'haute' | 'urgente' | undefined
    /** Notes that no customer sees. At most 5000 characters. */
    notes_internes?: string | null | undefined
  }
  closeCase: {
    /** What solved the problem, in words. 10 to 4000 characters. */
    resolution: string
    /** Base64 data URI of a JPEG, PNG, WebP or HEIC image, at most 5 MiB decoded, 200 megapixels within 20000×20000 pixels. */
    photo_avant?: string | undefined
    /** Base64 data URI of a JPEG, PNG, WebP or HEIC image, at most 5 MiB decoded, 200 megapixels within 20000×20000 pixels. */
    photo_apres?: string | undefined
    /** Base64 data URI of a PNG image, at most 512 KiB and 2000×1000 pixels. An image that is blank on white paper is refused. */
    signature_client?: string | undefined
    /** Name of the person who signed. At most 120 characters. */
    signataire_nom?: string | undefined
    /** Reservations of the customer. At most 20. */
    reserves?: string[] | undefined
    /** Number of the appointment of this case that the close ends. */
    rdv_id?: number | undefined
    /** The result of that appointment; by default `resolu`. */
    resultat?: 'resolu' | 'partiel' | 'a_reprogrammer' | 'impossible' | undefined
    /** The parts used at that appointment. At most 50. */
    pieces?: ({
      /** Name of the part. At most 200 characters. */
      designation: string
      /** How many pieces. From 1 to 10000. */
      quantite: number
      /** Reference of a part, or of a case: `SAV-2026-00042`. At most 100 characters. */
      reference?: string | null | undefined
    })[] | undefined
  }
  closeErased: Record<string, never>
  comment: {
    /** Text. At most 5000 characters. */
    texte: string
  }
  listComments: {
    /** The maximum number of items on a page. From 1 to 200. */
    limite?: number | undefined
    /** The `curseur` of the previous page. */
    curseur?: string | undefined
  }
  addPhotos: {
    /** Photos: `data:` URLs of base64. At most 10. */
    photos: string[]
    /** Number of the appointment at which they were taken. */
    rdv_id?: number | undefined
  }
  reopenCase: {
    /** Reason, in words. 10 to 1000 characters. */
    motif: string
  }
  sendReport: {
    /** Channel: by which way a text goes. */
    canal?: string | undefined
  }
  listCases: {
    /** Status. */
    statut?: 'ouvert' | 'en_cours' | 'clos' | 'non_clos' | undefined
    /** Number of the client. */
    client_id?: number | undefined
    /** Number of the installer. */
    poseur_id?: number | 'aucun' | undefined
    /** Created on this local day or later. */
    depuis?: string | undefined
    /** Changed at this time or later: an instant, or a local day. */
    modifie_depuis?: string | undefined
    /** Priority. */
    priorite?: 'basse' | 'normale' | 'haute' | 'urgente' | undefined
    /** Kind of problem. */
    type_probleme?: 'quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre' | undefined
    /** Words that are sought. At most 200 characters. */
    recherche?: string | undefined
    /** Created on this local day or earlier. */
    jusque?: string | undefined
    /** Created at least this number of days ago. From 0 to 100000. */
    age_min?: number | undefined
    /** Created less than this number of days ago. From 1 to 100000. */
    age_max?: number | undefined
    /** Words of the name, the address or the town of the client. At most 200 characters. */
    ville?: string | undefined
    /** The client's telephone number or its beginning, in any notation. At most 200 characters. */
    telephone?: string | undefined
    /** What happened from `du` to `au`: closed (and not reopened since), reopened, a first visit, or another visit. */
    survenu?: 'clos' | 'rouvert' | 'visite' | 'revisite' | undefined
    /** Number of the installer who visited from `du` to `au`. */
    visite_par?: number | undefined
    /** The first local day for `survenu` and `visite_par`. */
    du?: string | undefined
    /** The last local day for `survenu` and `visite_par`. */
    au?: string | undefined
    /** With `-` the largest first. By `ville`, cases without a town come last. */
    tri?: '-date_creation' | 'date_creation' | '-date_modification' | 'date_modification' | '-priorite' | 'priorite' | 'client' | '-client' | 'ville' | '-ville' | undefined
    /** The maximum number of items on a page. From 1 to 200. */
    limite?: number | undefined
    /** Page, from 1. */
    page?: number | undefined
    /** The `curseur` of the previous page. At most 8000 characters. */
    curseur?: string | undefined
  }
  exportCases: {
    /** Status. */
    statut?: 'ouvert' | 'en_cours' | 'clos' | 'non_clos' | undefined
    /** Number of the client. */
    client_id?: number | undefined
    /** Number of the installer. */
    poseur_id?: number | 'aucun' | undefined
    /** Created on this local day or later. */
    depuis?: string | undefined
    /** Changed at this time or later: an instant, or a local day. */
    modifie_depuis?: string | undefined
    /** Priority. */
    priorite?: 'basse' | 'normale' | 'haute' | 'urgente' | undefined
    /** Kind of problem. */
    type_probleme?: 'quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre' | undefined
    /** Words that are sought. At most 200 characters. */
    recherche?: string | undefined
    /** Created on this local day or earlier. */
    jusque?: string | undefined
    /** Created at least this number of days ago. From 0 to 100000. */
    age_min?: number | undefined
    /** Created less than this number of days ago. From 1 to 100000. */
    age_max?: number | undefined
    /** Words of the name, the address or the town of the client. At most 200 characters. */
    ville?: string | undefined
    /** The client's telephone number or its beginning, in any notation. At most 200 characters. */
    telephone?: string | undefined
    /** What happened from `du` to `au`: closed (and not reopened since), reopened, a first visit, or another visit. */
    survenu?: 'clos' | 'rouvert' | 'visite' | 'revisite' | undefined
    /** Number of the installer who visited from `du` to `au`. */
    visite_par?: number | undefined
    /** The first local day for `survenu` and `visite_par`. */
    du?: string | undefined
    /** The last local day for `survenu` and `visite_par`. */
    au?: string | undefined
    /** With `-` the largest first. By `ville`, cases without a town come last. */
    tri?: '-date_creation' | 'date_creation' | '-date_modification' | 'date_modification' | '-priorite' | 'priorite' | 'client' | '-client' | 'ville' | '-ville' | undefined
  }
  history: {
    /** State of a delivery. */
    state?: 'pending' | 'delivered' | 'failed' | undefined
    /** Id of the endpoint: `wh_…`. At most 100 characters. */
    endpoint_id?: string | undefined
    /** Kind of event, such as `sav.closed`. At most 100 characters. */
    event?: string | undefined
    /** At this time or later: an instant, or a local day. */
    since?: string | undefined
    /** The `curseur` of the previous page. At most 8000 characters. */
    curseur?: string | undefined
    /** The maximum number of deliveries on a page. From 1 to 1000. */
    limite?: number | undefined
  }
  replay: {
    /** State of a delivery. */
    state?: 'pending' | 'delivered' | 'failed' | undefined
    /** Id of the endpoint: `wh_…`. At most 100 characters. */
    endpoint_id?: string | undefined
    /** Kind of event, such as `sav.closed`. At most 100 characters. */
    event?: string | undefined
    /** At this time or later: an instant, or a local day. */
    since?: string | undefined
  }
  listReplays: {
    /** The maximum number of replays on a page. From 1 to 200. */
    limite?: number | undefined
    /** The `curseur` of the previous page. At most 8000 characters. */
    curseur?: string | undefined
  }
  accountLimits: {
    /** How many cases the account may create in a calendar month; null: any number. */
    dossiers_par_mois?: number | null | undefined
    /** How many bytes its files may have together; null: any number. */
    stockage_octets?: number | null | undefined
  }
  listClients: {
    /** The maximum number of items on a page. From 1 to 200. */
    limite?: number | undefined
    /** Page, from 1. */
    page?: number | undefined
    /** The `curseur` of the previous page. At most 8000 characters. */
    curseur?: string | undefined
    /** Words that are sought. At most 200 characters. */
    recherche?: string | undefined
  }
  account: {
    /** Name of the company. At most 200 characters. */
    raison_sociale?: string | null | undefined
    /** Postal address, as it is printed. At most 500 characters. */
    adresse?: string | null | undefined
    /** SIRET: the 14 digits of a French company. */
    siret?: string | null | undefined
    /** E-mail address. At most 254 characters. */
    email?: string | null | undefined
    /** Telephone number; it is kept in the form of E.164. At most 40 characters. */
    telephone?: string | null | undefined
    /** Insurer with the number of the contract, as reports print it. At most 500 characters. */
    assureur?: string | null | undefined
    /** Consumer mediator with its address, as reports print it. At most 500 characters. */
    mediateur?: string | null | undefined
    /** Picture for reports: a `data:` URL of base64. */
    logo?: string | null | undefined
    /** Colour: `#` and six hexadecimal digits. */
    couleur?: string | undefined
    /** Whether a close needs the signature of the customer. */
    signature_requise?: boolean | undefined
    /** Whether customers get a letter when an appointment is made. */
    confirmation_rdv?: boolean | undefined
    /** Whether customers are reminded of an appointment. */
    rappel_rdv?: boolean | undefined
    /** Whether the office gets an e-mail about what customers do with their appointments. */
    prevenir_bureau?: boolean | undefined
    /** Place: an address, with coordinates where they are known. */
    lieu?: {
      /** Number and street. At most 200 characters. */
      ligne1?: string | null | undefined
      /** Post code. At most 10 characters. */
      code_postal?: string | null | undefined
      /** Town. At most 100 characters. */
      ville?: string | null | undefined
      /** Degrees north, WGS 84. From -90 to 90. */
      lat?: number | null | undefined
      /** Degrees east, WGS 84. From -180 to 180. */
      lon?: number | null | undefined
      /** How to get in: floor, door code, where to park. At most 500 characters. */
      acces?: string | null | undefined
    } | null | undefined
    /** Whose public holidays count. */
    zone_feries?: 'FR' | 'FR-57' | 'GP' | 'MQ' | 'GF' | 'RE' | 'YT' | 'PM' | 'BL' | 'MF' | 'NC' | 'PF' | 'WF' | undefined
    /** IANA name of a time zone, such as `Europe/Paris`. */
    fuseau?: string | null | undefined
    /** Visits begin at multiples of this many minutes of the wall clock. */
    pas?: number | undefined
    /** Name of the sender in e-mails. At most 100 characters. */
    nom_expediteur?: string | null | undefined
    /** Address for answers to e-mails. At most 254 characters. */
    repondre_a?: string | null | undefined
    /** Address at which customers reach the service. At most 300 characters. */
    url_publique?: string | null | undefined
    /** Sentences that installers choose from. At most 50. */
    textes_terrain?: string[] | undefined
  }
  addClient: {
    /** Name. At most 120 characters. */
    nom: string
    /** First name. At most 120 characters. */
    prenom: string
    /** Name of the company. At most 200 characters. */
    raison_sociale?: string | null | undefined
    /** E-mail address. At most 254 characters. */
    email?: string | null | undefined
    /** Telephone number; it is kept in the form of E.164. At most 40 characters. */
    telephone?: string | null | undefined
    /** Postal address, as it is printed. At most 500 characters. */
    adresse?: string | null | undefined
    /** Place: an address, with coordinates where they are known. */
    lieu?: {
      /** Number and street. At most 200 characters. */
      ligne1?: string | null | undefined
      /** Post code. At most 10 characters. */
      code_postal?: string | null | undefined
      /** Town. At most 100 characters. */
      ville?: string | null | undefined
      /** Degrees north, WGS 84. From -90 to 90. */
      lat?: number | null | undefined
      /** Degrees east, WGS 84. From -180 to 180. */
      lon?: number | null | undefined
      /** How to get in: floor, door code, where to park. At most 500 characters. */
      acces?: string | null | undefined
    } | null | undefined
    /** Whether the client has agreed to messages by WhatsApp. */
    whatsapp?: boolean | undefined
  }
  updateClient: {
    /** Name. At most 120 characters. */
    nom?: string | undefined
    /** First name. At most 120 characters. */
    prenom?: string | undefined
    /** Name of the company. At most 200 characters. */
    raison_sociale?: string | null | undefined
    /** E-mail address. At most 254 characters. */
    email?: string | null | undefined
    /** Telephone number; it is kept in the form of E.164. At most 40 characters. */
    telephone?: string | null | undefined
    /** Postal address, as it is printed. At most 500 characters. */
    adresse?: string | null | undefined
    /** Place: an address, with coordinates where they are known. */
    lieu?: {
      /** Number and street. At most 200 characters. */
      ligne1?: string | null | undefined
      /** Post code. At most 10 characters. */
      code_postal?: string | null | undefined
      /** Town. At most 100 characters. */
      ville?: string | null | undefined
      /** Degrees north, WGS 84. From -90 to 90. */
      lat?: number | null | undefined
      /** Degrees east, WGS 84. From -180 to 180. */
      lon?: number | null | undefined
      /** How to get in: floor, door code, where to park. At most 500 characters. */
      acces?: string | null | undefined
    } | null | undefined
    /** Whether the client has agreed to messages by WhatsApp. */
    whatsapp?: boolean | undefined
  }
  addPoseur: {
    /** Name. At most 120 characters. */
    nom: string
    /** Whether they still work here. */
    actif?: boolean | undefined
    /** E-mail address. At most 254 characters. */
    email?: string | null | undefined
    /** Colour: `#` and six hexadecimal digits. */
    couleur?: string | null | undefined
    /** Place: an address, with coordinates where they are known. */
    lieu?: {
      /** Number and street. At most 200 characters. */
      ligne1?: string | null | undefined
      /** Post code. At most 10 characters. */
      code_postal?: string | null | undefined
      /** Town. At most 100 characters. */
      ville?: string | null | undefined
      /** Degrees north, WGS 84. From -90 to 90. */
      lat?: number | null | undefined
      /** Degrees east, WGS 84. From -180 to 180. */
      lon?: number | null | undefined
      /** How to get in: floor, door code, where to park. At most 500 characters. */
      acces?: string | null | undefined
    } | null | undefined
    /** Place where the day of an installer ends. */
    lieu_retour?: {
      /** Number and street. At most 200 characters. */
      ligne1?: string | null | undefined
      /** Post code. At most 10 characters. */
      code_postal?: string | null | undefined
      /** Town. At most 100 characters. */
      ville?: string | null | undefined
      /** Degrees north, WGS 84. From -90 to 90. */
      lat?: number | null | undefined
      /** Degrees east, WGS 84. From -180 to 180. */
      lon?: number | null | undefined
      /** How to get in: floor, door code, where to park. At most 500 characters. */
      acces?: string | null | undefined
    } | null | undefined
  }
  updatePoseur: {
    /** Name. At most 120 characters. */
    nom?: string | undefined
    /** Whether they still work here. */
    actif?: boolean | undefined
    /** E-mail address. At most 254 characters. */
    email?: string | null | undefined
    /** Colour: `#` and six hexadecimal digits. */
    couleur?: string | null | undefined
    /** Place: an address, with coordinates where they are known. */
    lieu?: {
      /** Number and street. At most 200 characters. */
      ligne1?: string | null | undefined
      /** Post code. At most 10 characters. */
      code_postal?: string | null | undefined
      /** Town. At most 100 characters. */
      ville?: string | null | undefined
      /** Degrees north, WGS 84. From -90 to 90. */
      lat?: number | null | undefined
      /** Degrees east, WGS 84. From -180 to 180. */
      lon?: number | null | undefined
      /** How to get in: floor, door code, where to park. At most 500 characters. */
      acces?: string | null | undefined
    } | null | undefined
    /** Place where the day of an installer ends. */
    lieu_retour?: {
      /** Number and street. At most 200 characters. */
      ligne1?: string | null | undefined
      /** Post code. At most 10 characters. */
      code_postal?: string | null | undefined
      /** Town. At most 100 characters. */
      ville?: string | null | undefined
      /** Degrees north, WGS 84. From -90 to 90. */
      lat?: number | null | undefined
      /** Degrees east, WGS 84. From -180 to 180. */
      lon?: number | null | undefined
      /** How to get in: floor, door code, where to park. At most 500 characters. */
      acces?: string | null | undefined
    } | null | undefined
  }
  lieu: {
    /** Number and street. At most 200 characters. */
    ligne1?: string | null | undefined
    /** Post code. At most 10 characters. */
    code_postal?: string | null | undefined
    /** Town. At most 100 characters. */
    ville?: string | null | undefined
    /** Degrees north, WGS 84. From -90 to 90. */
    lat?: number | null | undefined
    /** Degrees east, WGS 84. From -180 to 180. */
    lon?: number | null | undefined
    /** How to get in: floor, door code, where to park. At most 500 characters. */
    acces?: string | null | undefined
  }
  listPoseurs: {
    /** The maximum number of items on a page. From 1 to 200. */
    limite?: number | undefined
    /** Page, from 1. */
    page?: number | undefined
    /** The `curseur` of the previous page. At most 8000 characters. */
    curseur?: string | undefined
  }
  addEndpoint: {
    /** URL of the receiver. */
    url: string
    /** Kinds of events that are sent to it. */
    events: string[]
    /** What it is about, in words. At most 500 characters. */
    description?: string | null | undefined
    /** Further headers of each delivery, by their names. */
    headers?: {
      [name: string]: string
    } | undefined
  }
  takeOverEndpoint: {
    /** URL of the receiver. */
    url: string
    /** Kinds of events that are sent to it. */
    events: string[]
    /** What it is about, in words. At most 500 characters. */
    description?: string | null | undefined
    /** Further headers of each delivery, by their names. */
    headers?: {
      [name: string]: string
    } | undefined
    /** Secret that signs deliveries: `whsec_…`. */
    secret: string
  }
  updateEndpoint: {
    /** URL of the receiver. */
    url?: string | undefined
    /** Kinds of events that are sent to it. */
    events?: string[] | undefined
    /** What it is about, in words. At most 500 characters. */
    description?: string | null | undefined
    /** Further headers of each delivery, by their names. */
    headers?: {
      [name: string]: string
    } | undefined
  }
  rotateSecret: {
    /** For how many seconds the old secret still signs beside the new one; 0 for a secret that has leaked. From 0 to 604800. */
    chevauchement_secondes?: number | undefined
  }
}
