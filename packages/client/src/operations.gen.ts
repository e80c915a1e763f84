// Made from the routes of @sav/http-node: npm test -- client-operations -u rewrites it.

/** Every call of the API: its parameters, query and body, and what it answers. */
export interface Operations {
  GET: {
    /** List cases, newest first unless `tri` sets another order */
    '/api/v1/sav': {
      params: Record<never, never>
      query: {
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
      body: Record<never, never>
      answer: {
        success: true
        data: CaseSummary[]
        pagination: {
          /** The cursor of the next page; null on the last. */
          curseur: string | null
          /** Page number, from 1. With a cursor, the first page read was 1. */
          page: number
          /** The maximum number of items on a page. */
          limite: number
          /** The number of matches on all pages. */
          total: number
        }
      }
    }
    /** Export the cases of a list to a spreadsheet */
    '/api/v1/sav/export': {
      params: Record<never, never>
      query: {
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
        /** Format of the file. */
        format?: 'csv' | 'xlsx' | undefined
      }
      body: Record<never, never>
      answer: Uint8Array
    }
    /** Read a case with its history */
    '/api/v1/sav/{id}': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: CaseDetail
      }
    }
    /** List the comments on a case, newest first */
    '/api/v1/sav/{id}/commentaires': {
      params: {
        id: number
      }
      query: {
        /** The maximum number of items on a page. From 1 to 200. */
        limite?: number | undefined
        /** The `curseur` of the previous page. */
        curseur?: string | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: Comment[]
        pagination: {
          /** The cursor of the next page; null on the last. */
          curseur: string | null
        }
      }
    }
    /** Read the evidence of a close */
    '/api/v1/sav/{id}/preuve': {
      params: {
        id: number
      }
      query: {
        /** Position of the close in the account's chain of evidence. */
        sequence?: number | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: Proof
      }
    }
    /** Check each close of a case against the stored data */
    '/api/v1/sav/{id}/preuve/verification': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: CloseCheck[]
      }
    }
    /** List the entries of the chain of evidence, oldest first */
    '/api/v1/preuves': {
      params: Record<never, never>
      query: {
        /** Cursor: where the previous page ended. */
        curseur?: string | undefined
        /** The maximum number of entries on a page. From 1 to 200. */
        limite?: number | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: EvidenceEntry[]
        pagination: {
          /** The cursor of the next page; null on the last. */
          curseur: string | null
        }
      }
    }
    /** Read a photo, a signature or a report of a case */
    '/api/v1/sav/{id}/fichiers/{sha256}': {
      params: {
        id: number
        sha256: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array
    }
    /** Read the reception report (PV de réception) */
    '/api/v1/sav/{id}/pv': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array | {
        success: true
        data: UndrawnReport
      }
    }
    /** Read a sample of the reception report */
    '/api/v1/compte/apercu-pv': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array
    }
    /** List clients */
    '/api/v1/clients': {
      params: Record<never, never>
      query: {
        /** The maximum number of items on a page. From 1 to 200. */
        limite?: number | undefined
        /** Page, from 1. */
        page?: number | undefined
        /** The `curseur` of the previous page. At most 8000 characters. */
        curseur?: string | undefined
        /** Words that are sought. At most 200 characters. */
        recherche?: string | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: Client[]
        pagination: {
          /** The cursor of the next page; null on the last. */
          curseur: string | null
          /** Page number, from 1. With a cursor, the first page read was 1. */
          page: number
          /** The maximum number of items on a page. */
          limite: number
          /** The number of matches on all pages. */
          total: number
        }
      }
    }
    /** Read a client */
    '/api/v1/clients/{id}': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Client
      }
    }
    /** List installers */
    '/api/v1/poseurs': {
      params: Record<never, never>
      query: {
        /** The maximum number of items on a page. From 1 to 200. */
        limite?: number | undefined
        /** Page, from 1. */
        page?: number | undefined
        /** The `curseur` of the previous page. At most 8000 characters. */
        curseur?: string | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: Poseur[]
        pagination: {
          /** The cursor of the next page; null on the last. */
          curseur: string | null
          /** Page number, from 1. With a cursor, the first page read was 1. */
          page: number
          /** The maximum number of items on a page. */
          limite: number
          /** The number of matches on all pages. */
          total: number
        }
      }
    }
    /** Read an installer */
    '/api/v1/poseurs/{id}': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Poseur
      }
    }
    /** List receivers, oldest first */
    '/api/v1/webhooks': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: EndpointWithHealth[]
      }
    }
    /** Read a receiver */
    '/api/v1/webhooks/{endpoint}': {
      params: {
        endpoint: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Endpoint
      }
    }
    /** Read the outcomes of a receiver’s deliveries in the last 24 hours */
    '/api/v1/webhooks/{endpoint}/activite': {
      params: {
        endpoint: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Activity
      }
    }
    /** List deliveries, newest first */
    '/api/v1/webhooks/livraisons': {
      params: Record<never, never>
      query: {
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
      body: Record<never, never>
      answer: {
        success: true
        data: Delivery[]
        pagination: {
          /** The cursor of the next page; null on the last. */
          curseur: string | null
        }
      }
    }
    /** Read a delivery with its attempts */
    '/api/v1/webhooks/livraisons/{delivery}': {
      params: {
        delivery: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: DeliveryWithAttempts
      }
    }
    /** List replays, newest first */
    '/api/v1/webhooks/livraisons/rejouer': {
      params: Record<never, never>
      query: {
        /** The maximum number of replays on a page. From 1 to 200. */
        limite?: number | undefined
        /** The `curseur` of the previous page. At most 8000 characters. */
        curseur?: string | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: Replay[]
        pagination: {
          /** The cursor of the next page; null on the last. */
          curseur: string | null
        }
      }
    }
    /** Read the progress of a replay */
    '/api/v1/webhooks/livraisons/rejouer/{replay}': {
      params: {
        replay: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Replay
      }
    }
    /** List keys, newest first */
    '/api/v1/cles': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Key[]
      }
    }
    /** Read a key */
    '/api/v1/cles/{key}': {
      params: {
        key: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Key
      }
    }
    /** Read the account */
    '/api/v1/compte': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Account
      }
    }
    /** Read the health of deliveries, and the service’s delivery channels */
    '/api/v1/sante': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: DeliveryHealth
      }
    }
    /** Read who the caller is */
    '/api/v1/session': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: WhoCalls
      }
    }
    /** List the caller’s saved views */
    '/api/v1/session/vues': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: View[]
      }
    }
    /** List the calls of the account, newest first */
    '/api/v1/audit': {
      params: Record<never, never>
      query: {
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
      body: Record<never, never>
      answer: {
        success: true
        data: AuditedCall[]
        pagination: {
          /** The cursor of the next page; null on the last. */
          curseur: string | null
        }
      }
    }
    /** Check the hash on a reception report */
    '/verifier/{hash}': {
      params: {
        hash: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array
    }
    /** Whether the process runs */
    '/healthz': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
      }
    }
    /** Whether the service can work */
    '/readyz': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Readiness
      }
    }
    /** This contract */
    '/openapi.json': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array
    }
    /** This contract as a page */
    '/docs': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array
    }
    /** The script of the page `/docs` */
    '/docs/reference.js': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array
    }
    /** List where the caller is signed in, newest first */
    '/api/v1/session/sessions': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Session[]
      }
    }
    /** List people, by name */
    '/api/v1/utilisateurs': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: User[]
      }
    }
    /** Read a person */
    '/api/v1/utilisateurs/{user}': {
      params: {
        user: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: User
      }
    }
    /** List a person’s sessions, newest first */
    '/api/v1/utilisateurs/{user}/sessions': {
      params: {
        user: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Session[]
      }
    }
    /** List a person’s phones in the field */
    '/api/v1/utilisateurs/{user}/appareils': {
      params: {
        user: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Device[]
      }
    }
    /** List appointments of local days, by default of the current week */
    '/v1/planning': {
      params: Record<never, never>
      query: {
        /** The first local day. Default without `au`: the current week, Monday to Sunday. */
        du?: string | undefined
        /** The last local day. */
        au?: string | undefined
        /** Number of the installer. */
        poseur_id?: number | undefined
        /** Number of the client. */
        client_id?: number | undefined
        /** Number of the case. */
        sav_id?: number | undefined
        /** Status. */
        statut?: 'propose' | 'planifie' | 'confirme' | 'en_cours' | 'realise' | 'annule' | 'absent' | undefined
        /** Kind of appointment. */
        type?: 'sav' | 'pose' | 'metre' | 'livraison' | 'controle' | 'autre' | undefined
        /** The maximum number of items on a page. From 1 to 200. */
        limite?: number | undefined
        /** Page, from 1. */
        page?: number | undefined
        /** The `curseur` of the previous page. At most 8000 characters. */
        curseur?: string | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: Rdv[]
        pagination: {
          /** The cursor of the next page; null on the last. */
          curseur: string | null
          /** Page number, from 1. With a cursor, the first page read was 1. */
          page: number
          /** The maximum number of items on a page. */
          limite: number
          /** The number of matches on all pages. */
          total: number
        }
      }
    }
    /** List appointments of local days, by default of the current week */
    '/api/v1/planning': Operations['GET']['/v1/planning']
    /** Find free times for a visit */
    '/v1/planning/creneaux': {
      params: Record<never, never>
      query: {
        /** How long the visit takes, in minutes. From 1 to 720. */
        duree: number
        /** Number of the case. */
        sav_id?: number | undefined
        /** Post code. At most 10 characters. */
        code_postal?: string | undefined
        /** Town. At most 100 characters. */
        ville?: string | undefined
        /** Degrees north, WGS 84. From -90 to 90. */
        lat?: number | undefined
        /** Degrees east, WGS 84. From -180 to 180. */
        lon?: number | undefined
        /** Kind of problem. */
        type_probleme?: 'quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre' | undefined
        /** The first local day. Default: today. */
        du?: string | undefined
        /** The last local day. Default: two weeks. */
        au?: string | undefined
        /** Number of the installer. */
        poseur_id?: number | undefined
        /** Slots begin at multiples of this many minutes on the wall clock. Default: the account's `pas`. */
        pas?: number | undefined
        /** Minutes to keep free around the visit, besides travel. From 0 to 240. */
        tampon?: number | undefined
        /** No slot begins within this many minutes from now; at most 92 days. From 0 to 132480. */
        delai_min?: number | undefined
        /** Hours of the local day, `08:00-12:00`, for the whole visit. */
        fenetre?: string | undefined
        /** The maximum number of items on a page. From 1 to 200. */
        limite?: number | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: Slot[]
      }
    }
    /** Find free times for a visit */
    '/api/v1/planning/creneaux': Operations['GET']['/v1/planning/creneaux']
    /** Read an appointment */
    '/v1/planning/{id}': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Rdv
      }
    }
    /** Read an appointment */
    '/api/v1/planning/{id}': Operations['GET']['/v1/planning/{id}']
    /** Read an installer’s hours */
    '/v1/planning/poseurs/{id}/horaires': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Horaires
      }
    }
    /** Read an installer’s hours */
    '/api/v1/planning/poseurs/{id}/horaires': Operations['GET']['/v1/planning/poseurs/{id}/horaires']
    /** Read an installer’s absences */
    '/v1/planning/poseurs/{id}/absences': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Absences
      }
    }
    /** Read an installer’s absences */
    '/api/v1/planning/poseurs/{id}/absences': Operations['GET']['/v1/planning/poseurs/{id}/absences']
    /** Read an installer’s skills */
    '/v1/planning/poseurs/{id}/competences': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Competences
      }
    }
    /** Read an installer’s skills */
    '/api/v1/planning/poseurs/{id}/competences': Operations['GET']['/v1/planning/poseurs/{id}/competences']
    /** List the appointments of a case, past and future */
    '/api/v1/sav/{id}/rdv': {
      params: {
        id: number
      }
      query: {
        /** The maximum number of appointments on a page. From 1 to 200. */
        limite?: number | undefined
        /** The `curseur` of the previous page. At most 8000 characters. */
        curseur?: string | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: Rdv[]
        pagination: {
          /** The cursor of the next page; null on the last. */
          curseur: string | null
        }
      }
    }
    /** Read the rounds of a day */
    '/v1/planning/tournees': {
      params: Record<never, never>
      query: {
        /** A local day: YYYY-MM-DD. */
        date: string
      }
      body: Record<never, never>
      answer: {
        success: true
        data: DayRounds
      }
    }
    /** Read the rounds of a day */
    '/api/v1/planning/tournees': Operations['GET']['/v1/planning/tournees']
    /** Read a calendar by its secret address */
    '/calendriers/{calendar}': {
      params: {
        calendar: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array
    }
    /** List follow-ups, newest first */
    '/api/v1/a-traiter': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: FollowUp[]
      }
    }
    /** Read the page where a customer answers about an appointment */
    '/rdv/{rdvPage}': {
      params: {
        rdvPage: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array
    }
    /** Read one’s own visits, from 7 days ago to 14 days ahead */
    '/api/v1/terrain': {
      params: Record<never, never>
      query: {
        /** Number of the installer. */
        poseur_id?: number | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: FieldDay
      }
    }
    /** Read a file of the case of one’s own visit */
    '/api/v1/terrain/dossiers/{id}/fichiers/{sha256}': {
      params: {
        id: number
        sha256: string
      }
      query: {
        /** `1`: a small picture of it. */
        vignette?: '1' | undefined
      }
      body: Record<never, never>
      answer: Uint8Array
    }
    /** Read the reception report of the case of one’s own visit */
    '/api/v1/terrain/dossiers/{id}/pv': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array | {
        success: true
        data: UndrawnReport
      }
    }
    /** Find times for another visit */
    '/api/v1/terrain/rdv/{id}/creneaux': {
      params: {
        id: number
      }
      query: {
        /** How long the visit takes, in minutes. From 1 to 720. */
        duree: number
        /** The first local day. Default: today. */
        du?: string | undefined
        /** The last local day. Default: two weeks. */
        au?: string | undefined
        /** Hours of the local day, `08:00-12:00`, for the whole visit. */
        fenetre?: string | undefined
        /** The maximum number of items on a page. From 1 to 200. */
        limite?: number | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: Slot[]
      }
    }
    /** Find cases, clients and appointments */
    '/api/v1/recherche': {
      params: Record<never, never>
      query: {
        /** Words, a name, a street, a town, a telephone number, or the number of a case. At most 200 characters. */
        q: string
        /** The maximum number of results of each kind. From 1 to 50. */
        limite?: number | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: Found
      }
    }
    /** Read the statistics of a period */
    '/api/v1/statistiques': {
      params: Record<never, never>
      query: {
        /** The first local day. */
        du?: string | undefined
        /** The last local day. */
        au?: string | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: Statistics
      }
    }
  }
  POST: {
    /** Create a case */
    '/api/v1/sav': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
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
      answer: {
        success: true
        data: CaseCreated
      }
    }
    /** Close a case */
    '/api/v1/sav/{id}/cloturer': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
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
      } | Record<string, never>
      answer: {
        success: true
        data: CaseClosed
      }
    }
    /** Reopen a closed case */
    '/api/v1/sav/{id}/rouvrir': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        /** Reason, in words. 10 to 1000 characters. */
        motif: string
      }
      answer: {
        success: true
        data: CaseDetail
      }
    }
    /** Comment on a case, open or closed */
    '/api/v1/sav/{id}/commentaires': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        /** Text. At most 5000 characters. */
        texte: string
      }
      answer: {
        success: true
        data: Comment
      }
    }
    /** Add photos to a case, open or closed */
    '/api/v1/sav/{id}/photos': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        /** Photos: `data:` URLs of base64. At most 10. */
        photos: string[]
        /** Number of the appointment at which they were taken. */
        rdv_id?: number | undefined
      }
      answer: {
        success: true
        data: AddedPhoto[]
      }
    }
    /** Send the reception report, or send it again */
    '/api/v1/sav/{id}/pv/envoyer': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        /** Channel: by which way a text goes. */
        canal?: string | undefined
      }
      answer: {
        success: true
        data: ReportSent
      }
    }
    /** Add a client */
    '/api/v1/clients': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
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
      answer: {
        success: true
        data: Client
      }
    }
    /** Erase the personal data of a client */
    '/api/v1/clients/{id}/effacer': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Client
      }
    }
    /** Add an installer */
    '/api/v1/poseurs': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
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
      answer: {
        success: true
        data: Poseur
      }
    }
    /** Add a receiver */
    '/api/v1/webhooks': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        /** URL of the receiver. */
        url: string
        /** Kinds of events that are sent to it. */
        events: ('sav.created' | 'sav.updated' | 'sav.status_changed' | 'sav.assigned' | 'sav.closed' | 'sav.reopened' | 'sav.report_sent' | 'sav.report_failed' | 'rdv.created' | 'rdv.rescheduled' | 'rdv.confirmed' | 'rdv.cancelled' | 'rdv.completed')[]
        /** What it is about, in words. At most 500 characters. */
        description?: string | null | undefined
        /** Further headers of each delivery, by their names. */
        headers?: {
          [name: string]: string
        } | undefined
      }
      answer: {
        success: true
        data: NewEndpoint
      }
    }
    /** Enable a receiver again */
    '/api/v1/webhooks/{endpoint}/activer': {
      params: {
        endpoint: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Endpoint
      }
    }
    /** Disable a receiver */
    '/api/v1/webhooks/{endpoint}/desactiver': {
      params: {
        endpoint: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Endpoint
      }
    }
    /** Give a receiver a new secret */
    '/api/v1/webhooks/{endpoint}/renouveler-secret': {
      params: {
        endpoint: string
      }
      query: Record<never, never>
      body: {
        /** For how many seconds the old secret still signs beside the new one; 0 for a secret that has leaked. From 0 to 604800. */
        chevauchement_secondes?: number | undefined
      }
      answer: {
        success: true
        data: NewSecret
      }
    }
    /** Send a `webhook.test` to a receiver */
    '/api/v1/webhooks/{endpoint}/tester': {
      params: {
        endpoint: string
      }
      query: Record<never, never>
      body: {
        /** Kind of event, such as `sav.closed`. */
        event?: 'sav.created' | 'sav.updated' | 'sav.status_changed' | 'sav.assigned' | 'sav.closed' | 'sav.reopened' | 'sav.report_sent' | 'sav.report_failed' | 'rdv.created' | 'rdv.rescheduled' | 'rdv.confirmed' | 'rdv.cancelled' | 'rdv.completed' | undefined
      }
      answer: {
        success: true
        data: TestDelivery
      }
    }
    /** Attempt a delivery again */
    '/api/v1/webhooks/livraisons/{delivery}/rejouer': {
      params: {
        delivery: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Delivery
      }
    }
    /** Attempt every matching delivery again */
    '/api/v1/webhooks/livraisons/rejouer': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        /** State of a delivery. */
        state?: 'pending' | 'delivered' | 'failed' | undefined
        /** Id of the endpoint: `wh_…`. At most 100 characters. */
        endpoint_id?: string | undefined
        /** Kind of event, such as `sav.closed`. At most 100 characters. */
        event?: string | undefined
        /** At this time or later: an instant, or a local day. */
        since?: string | undefined
        /** Whether it is only counted. */
        dry_run?: boolean | undefined
      }
      answer: {
        success: true
        data: Replay
      } | {
        success: true
        data: ReplayPreview
      }
    }
    /** Cancel a replay */
    '/api/v1/webhooks/livraisons/rejouer/{replay}/annuler': {
      params: {
        replay: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Replay
      }
    }
    /** Create a key */
    '/api/v1/cles': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        /** Name. At most 120 characters. */
        nom: string
        /** What it may do. */
        permissions: ('sav:read' | 'sav:write' | 'sav:close' | 'directory:read' | 'directory:write' | 'webhooks:read' | 'webhooks:write' | 'terrain' | 'planning:read' | 'planning:write' | 'admin')[]
        /** When the key expires: an instant, or the start of a day. By default in a year. */
        expire?: string | undefined
        /** Addresses and CIDRs from which the key may be used; empty: any. At most 100. */
        ips?: string[] | undefined
      }
      answer: {
        success: true
        data: NewKey
      }
    }
    /** Replace a key */
    '/api/v1/cles/{key}/renouveler': {
      params: {
        key: string
      }
      query: Record<never, never>
      body: {
        /** For how many seconds the old key still works beside the new one; 0 for a key that has leaked. From 0 to 604800. */
        chevauchement_secondes?: number | undefined
      }
      answer: {
        success: true
        data: RolledKey
      }
    }
    /** Add a person */
    '/api/v1/utilisateurs': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        /** Name. At most 120 characters. */
        nom: string
        /** E-mail address. At most 254 characters. */
        email: string
        /** Role, which decides what a person may do. */
        role: 'administration' | 'gestion' | 'atelier' | 'poseur' | 'lecture'
        /** Number of the installer. */
        poseur_id?: number | null | undefined
      }
      answer: {
        success: true
        data: User
      }
    }
    /** Send or make a link that signs a person in once */
    '/api/v1/utilisateurs/{user}/inviter': {
      params: {
        user: string
      }
      query: Record<never, never>
      body: {
        /** Channel: by which way a text goes. */
        canal?: 'email' | 'lien' | undefined
      }
      answer: {
        success: true
        data: Invitation
      }
    }
    /** Book an appointment */
    '/v1/planning/rdv': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        /** The token of a slot from `creneaux`. Replaces `poseur_id`, `debut` and `fin`. At most 1000 characters. */
        jeton?: string | undefined
        /** Number of the installer. */
        poseur_id?: number | undefined
        /** Beginning: an instant, ISO 8601 with `Z` or its offset. */
        debut?: string | undefined
        /** End, no longer part of it: an instant, ISO 8601 with `Z` or its offset. */
        fin?: string | undefined
        /** Whole minutes from `debut` to `fin`. From 1 to 720. */
        duree_minutes?: number | undefined
        /** Number of the client. */
        client_id?: number | undefined
        /** Number of the case. */
        sav_id?: number | undefined
        /** Kind of appointment. */
        type?: 'sav' | 'pose' | 'metre' | 'livraison' | 'controle' | 'autre' | undefined
        /** Numbers of the installers who come along. At most 10. */
        equipiers?: number[] | undefined
        /** Status. */
        statut?: 'propose' | 'planifie' | 'confirme' | undefined
        /** Window for the customer, within which somebody comes. */
        fenetre_client?: {
          /** Beginning: an instant, ISO 8601 with `Z` or its offset. */
          debut: string
          /** End, no longer part of it: an instant, ISO 8601 with `Z` or its offset. */
          fin: string
        } | null | undefined
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
        /** Notes for the installer. At most 5000 characters. */
        notes?: string | null | undefined
        /** Whether customers get letters. */
        prevenir?: boolean | undefined
      }
      answer: {
        success: true
        data: AdvisedRdv
      }
    }
    /** Book an appointment */
    '/api/v1/planning/rdv': Operations['POST']['/v1/planning/rdv']
    /** Plan the rounds of a day with the least travel */
    '/v1/planning/tournees/optimiser': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        /** A local day: YYYY-MM-DD. */
        date: string
        /** Default: all active installers. At most 50. */
        poseur_ids?: number[] | undefined
        /** Whether it is shown (`apercu`) or done (`appliquer`). */
        mode: 'apercu' | 'appliquer'
        /** The version of the preview. At most 1000000 characters. */
        version?: string | undefined
        /** Whether customers get letters. */
        prevenir?: boolean | undefined
      }
      answer: {
        success: true
        data: OptimisedRounds
      }
    }
    /** Plan the rounds of a day with the least travel */
    '/api/v1/planning/tournees/optimiser': Operations['POST']['/v1/planning/tournees/optimiser']
    /** Move appointments to other installers or times, in one write */
    '/v1/planning/replacer': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        /** Moves: appointments and their new times. At most 100. */
        deplacements: ({
          /** Number of the appointment. */
          rdv_id: number
          /** Beginning: an instant, ISO 8601 with `Z` or its offset. */
          debut: string
          /** Number of the installer. */
          poseur_id: number
          /** The teammates to remove. Default: none. At most 10. */
          sans?: number[] | undefined
        })[]
        /** Whether customers get letters. */
        prevenir?: boolean | undefined
      }
      answer: {
        success: true
        data: ReplacedRdv
      }
    }
    /** Move appointments to other installers or times, in one write */
    '/api/v1/planning/replacer': Operations['POST']['/v1/planning/replacer']
    /** Undo applied rounds */
    '/v1/planning/tournees/annuler': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        /** The version from the answer that applied the change. At most 1000000 characters. */
        version: string
        /** Whether customers get letters. */
        prevenir?: boolean | undefined
      }
      answer: {
        success: true
        data: UndoneRounds
      }
    }
    /** Undo applied rounds */
    '/api/v1/planning/tournees/annuler': Operations['POST']['/v1/planning/tournees/annuler']
    /** Make a new address for the calendar of the whole account */
    '/v1/planning/calendrier': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: {
          /** The address for a calendar program: absolute if the service knows its own address, else a path. Only this answer contains it. */
          url: string
        }
      }
    }
    /** Make a new address for the calendar of the whole account */
    '/api/v1/planning/calendrier': Operations['POST']['/v1/planning/calendrier']
    /** Make a new address for an installer’s calendar */
    '/v1/planning/poseurs/{id}/calendrier': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: {
          /** The address for a calendar program: absolute if the service knows its own address, else a path. Only this answer contains it. */
          url: string
        }
      }
    }
    /** Make a new address for an installer’s calendar */
    '/api/v1/planning/poseurs/{id}/calendrier': Operations['POST']['/v1/planning/poseurs/{id}/calendrier']
    /** Mark a follow-up as done */
    '/api/v1/a-traiter/{followUp}/fait': {
      params: {
        followUp: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: DoneFollowUp
      }
    }
    /** Confirm, move or cancel an appointment, or say how to get in, as its customer */
    '/rdv/{rdvPage}': {
      params: {
        rdvPage: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array
    }
    /** Report that work has begun at one’s own visit */
    '/v1/planning/{id}/debut': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        /** When it happened, by the phone’s clock. */
        survenu_a: string
        /** By how many milliseconds the phone’s clock is ahead of the service’s. */
        decalage_ms?: number | undefined
        /** Number of the version of the appointment that the phone knew. */
        version?: number | undefined
      }
      answer: {
        success: true
        data: AnsweredRdv
      }
    }
    /** Report that work has begun at one’s own visit */
    '/api/v1/planning/{id}/debut': Operations['POST']['/v1/planning/{id}/debut']
    /** Report that the customer was absent */
    '/v1/planning/{id}/absent': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        /** When it happened, by the phone’s clock. */
        survenu_a: string
        /** By how many milliseconds the phone’s clock is ahead of the service’s. */
        decalage_ms?: number | undefined
        /** Number of the version of the appointment that the phone knew. */
        version?: number | undefined
        /** What was done, in the words of the installer. At most 5000 characters. */
        compte_rendu?: string | undefined
      }
      answer: {
        success: true
        data: AnsweredRdv
      }
    }
    /** Report that the customer was absent */
    '/api/v1/planning/{id}/absent': Operations['POST']['/v1/planning/{id}/absent']
    /** Report a delay */
    '/v1/planning/{id}/retard': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        /** When it happened, by the phone’s clock. */
        survenu_a: string
        /** By how many milliseconds the phone’s clock is ahead of the service’s. */
        decalage_ms?: number | undefined
        /** Number of the version of the appointment that the phone knew. */
        version?: number | undefined
        /** The delay in minutes. From 0 to 480. */
        minutes: number
      }
      answer: {
        success: true
        data: AnsweredRdv
      }
    }
    /** Report a delay */
    '/api/v1/planning/{id}/retard': Operations['POST']['/v1/planning/{id}/retard']
    /** Report the work at one’s own visit, and optionally close its case */
    '/v1/planning/{id}/intervention': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        /** When it happened, by the phone’s clock. */
        survenu_a: string
        /** By how many milliseconds the phone’s clock is ahead of the service’s. */
        decalage_ms?: number | undefined
        /** Number of the version of the appointment that the phone knew. */
        version?: number | undefined
        /** Outcome of a visit. */
        resultat: 'resolu' | 'partiel' | 'a_reprogrammer' | 'impossible'
        /** What was done, in the words of the installer. At most 5000 characters. */
        compte_rendu?: string | undefined
        /** Comments on the case. At most 20. */
        commentaires?: string[] | undefined
        /** Parts that were used. At most 50. */
        pieces?: ({
          /** Name of the part. At most 200 characters. */
          designation: string
          /** How many pieces. From 1 to 10000. */
          quantite: number
          /** Reference of a part, or of a case: `SAV-2026-00042`. At most 100 characters. */
          reference?: string | null | undefined
        })[] | undefined
        /** Files that were uploaded before. At most 50. */
        photos?: ({
          /** SHA-256 of a file, lowercase hexadecimal. */
          sha256: string
          /** When a photo was taken: before the work, after it, or neither. */
          moment: 'avant' | 'apres' | 'autre'
        })[] | undefined
        /** The next visit: a slot, or a request to the office. */
        prochain?: {
          /** Token of a slot that was offered. At most 1000 characters. */
          jeton: string
        } | {
          /** What the installer asks of the office, in words. At most 500 characters. */
          souhait: string
        } | undefined
        /** Close: what the case is closed with. */
        cloture?: {
          /** What solved the problem, in words. 10 to 4000 characters. */
          resolution: string
          /** Name of the person who signed. At most 120 characters. */
          signataire_nom?: string | undefined
          /** SHA-256 of the PNG of the signature. */
          signature?: string | undefined
          /** Reservations of the customer. At most 20. */
          reserves?: string[] | undefined
          /** The text that the customer was shown before signing. At most 20000 characters. */
          vu?: string | undefined
        } | undefined
      }
      answer: {
        success: true
        data: AnsweredRdv
      }
    }
    /** Report the work at one’s own visit, and optionally close its case */
    '/api/v1/planning/{id}/intervention': Operations['POST']['/v1/planning/{id}/intervention']
  }
  PUT: {
    /** Change a case */
    '/api/v1/sav/{id}': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
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
      answer: {
        success: true
        data: CaseDetail
      }
    }
    /** Change a client */
    '/api/v1/clients/{id}': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
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
      answer: {
        success: true
        data: Client
      }
    }
    /** Change an installer */
    '/api/v1/poseurs/{id}': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
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
      answer: {
        success: true
        data: Poseur
      }
    }
    /** Change a receiver */
    '/api/v1/webhooks/{endpoint}': {
      params: {
        endpoint: string
      }
      query: Record<never, never>
      body: {
        /** URL of the receiver. */
        url?: string | undefined
        /** Kinds of events that are sent to it. */
        events?: ('sav.created' | 'sav.updated' | 'sav.status_changed' | 'sav.assigned' | 'sav.closed' | 'sav.reopened' | 'sav.report_sent' | 'sav.report_failed' | 'rdv.created' | 'rdv.rescheduled' | 'rdv.confirmed' | 'rdv.cancelled' | 'rdv.completed')[] | undefined
        /** What it is about, in words. At most 500 characters. */
        description?: string | null | undefined
        /** Further headers of each delivery, by their names. */
        headers?: {
          [name: string]: string
        } | undefined
      }
      answer: {
        success: true
        data: Endpoint
      }
    }
    /** Change the account */
    '/api/v1/compte': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
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
      answer: {
        success: true
        data: Account
      }
    }
    /** Replace the caller’s saved views */
    '/api/v1/session/vues': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        /** Saved views: filters by their names. At most 50. */
        vues: {
          /** Name. At most 100 characters. */
          nom: string
          /** The address of the view in the console: `/dossiers?statut=ouvert`. At most 2000 characters. */
          adresse: string
        }[]
      }
      answer: {
        success: true
        data: View[]
      }
    }
    /** Change a person */
    '/api/v1/utilisateurs/{user}': {
      params: {
        user: string
      }
      query: Record<never, never>
      body: {
        /** Name. At most 120 characters. */
        nom?: string | undefined
        /** E-mail address. At most 254 characters. */
        email?: string | undefined
        /** Role, which decides what a person may do. */
        role?: 'administration' | 'gestion' | 'atelier' | 'poseur' | 'lecture' | undefined
        /** Number of the installer. */
        poseur_id?: number | null | undefined
        /** Whether they still work here. */
        actif?: boolean | undefined
      }
      answer: {
        success: true
        data: User
      }
    }
    /** Report the name of this phone, and how much it has not sent yet */
    '/api/v1/terrain/appareil': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        /** Name. At most 60 characters. */
        nom: string
        /** How many writes the phone has not sent yet. From 0 to 100000. */
        en_attente: number
      }
      answer: {
        success: true
        data: Device
      }
    }
    /** Replace an installer’s hours */
    '/v1/planning/poseurs/{id}/horaires': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        /** Working time, by the days from which it holds. At most 100. */
        periodes?: ({
          /** The first local day. */
          du?: string | null | undefined
          /** The last local day. */
          au?: string | null | undefined
          /** Week: the hours of each day. */
          semaine: {
            /** Monday. At most 12. */
            lundi?: {
              /** Beginning, by the wall clock: `08:00`. */
              debut: string
              /** End, by the wall clock: `12:30`, at most `24:00`. */
              fin: string
            }[] | undefined
            /** Tuesday. At most 12. */
            mardi?: {
              /** Beginning, by the wall clock: `08:00`. */
              debut: string
              /** End, by the wall clock: `12:30`, at most `24:00`. */
              fin: string
            }[] | undefined
            /** Wednesday. At most 12. */
            mercredi?: {
              /** Beginning, by the wall clock: `08:00`. */
              debut: string
              /** End, by the wall clock: `12:30`, at most `24:00`. */
              fin: string
            }[] | undefined
            /** Thursday. At most 12. */
            jeudi?: {
              /** Beginning, by the wall clock: `08:00`. */
              debut: string
              /** End, by the wall clock: `12:30`, at most `24:00`. */
              fin: string
            }[] | undefined
            /** Friday. At most 12. */
            vendredi?: {
              /** Beginning, by the wall clock: `08:00`. */
              debut: string
              /** End, by the wall clock: `12:30`, at most `24:00`. */
              fin: string
            }[] | undefined
            /** Saturday. At most 12. */
            samedi?: {
              /** Beginning, by the wall clock: `08:00`. */
              debut: string
              /** End, by the wall clock: `12:30`, at most `24:00`. */
              fin: string
            }[] | undefined
            /** Sunday. At most 12. */
            dimanche?: {
              /** Beginning, by the wall clock: `08:00`. */
              debut: string
              /** End, by the wall clock: `12:30`, at most `24:00`. */
              fin: string
            }[] | undefined
          }
        })[] | undefined
        /** Days that differ from the week, by their date. At most 1000. */
        exceptions?: {
          /** A local day: YYYY-MM-DD. */
          date: string
          /** Ranges of hours. At most 12. */
          plages: {
            /** Beginning, by the wall clock: `08:00`. */
            debut: string
            /** End, by the wall clock: `12:30`, at most `24:00`. */
            fin: string
          }[]
        }[] | undefined
      }
      answer: {
        success: true
        data: Horaires
      }
    }
    /** Replace an installer’s hours */
    '/api/v1/planning/poseurs/{id}/horaires': Operations['PUT']['/v1/planning/poseurs/{id}/horaires']
    /** Replace an installer’s absences */
    '/v1/planning/poseurs/{id}/absences': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        /** Times at which an installer does not work. At most 500. */
        absences: ({
          /** Beginning: an instant, ISO 8601 with `Z` or its offset. */
          debut: string
          /** End, no longer part of it: an instant, ISO 8601 with `Z` or its offset. */
          fin: string
          /** Reason, in words. At most 200 characters. */
          motif?: string | null | undefined
        })[]
      }
      answer: {
        success: true
        data: Absences
      }
    }
    /** Replace an installer’s absences */
    '/api/v1/planning/poseurs/{id}/absences': Operations['PUT']['/v1/planning/poseurs/{id}/absences']
    /** Replace an installer’s skills */
    '/v1/planning/poseurs/{id}/competences': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        /** Skills: the kinds of problem that an installer handles. At most 100. */
        competences: ('quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre')[]
      }
      answer: {
        success: true
        data: Competences
      }
    }
    /** Replace an installer’s skills */
    '/api/v1/planning/poseurs/{id}/competences': Operations['PUT']['/v1/planning/poseurs/{id}/competences']
    /** Send a photo or a signature, before the report that names it */
    '/api/v1/fichiers/{sha256}': {
      params: {
        sha256: string
      }
      query: Record<never, never>
      body: Blob
      answer: {
        success: true
        data: UploadProgress
      }
    }
  }
  DELETE: {
    /** Remove a receiver */
    '/api/v1/webhooks/{endpoint}': {
      params: {
        endpoint: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Removed
      }
    }
    /** Revoke a key */
    '/api/v1/cles/{key}': {
      params: {
        key: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Key
      }
    }
    /** Sign out here */
    '/api/v1/session': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
      }
    }
    /** Sign the caller out of one device */
    '/api/v1/session/sessions/{session}': {
      params: {
        session: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
      }
    }
    /** Remove one of the caller’s passkeys */
    '/api/v1/session/passkeys/{passkey}': {
      params: {
        passkey: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
      }
    }
    /** End all sessions of a person */
    '/api/v1/utilisateurs/{user}/sessions': {
      params: {
        user: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: {
          /** How many ended. */
          terminees: number
        }
      }
    }
    /** End one session of a person */
    '/api/v1/utilisateurs/{user}/sessions/{session}': {
      params: {
        user: string
        session: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
      }
    }
    /** Sign a phone out, and erase its data */
    '/api/v1/utilisateurs/{user}/appareils/{appareil}': {
      params: {
        user: string
        appareil: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
      }
    }
  }
  PATCH: {
    /** Move, confirm, cancel or complete an appointment */
    '/v1/planning/{id}': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        /** Beginning: an instant, ISO 8601 with `Z` or its offset. */
        debut?: string | undefined
        /** End, no longer part of it: an instant, ISO 8601 with `Z` or its offset. */
        fin?: string | undefined
        /** Whole minutes from `debut` to `fin`. From 1 to 720. */
        duree_minutes?: number | undefined
        /** Number of the installer. */
        poseur_id?: number | undefined
        /** Numbers of the installers who come along. At most 10. */
        equipiers?: number[] | undefined
        /** Kind of appointment. */
        type?: 'sav' | 'pose' | 'metre' | 'livraison' | 'controle' | 'autre' | undefined
        /** Status. */
        statut?: 'propose' | 'planifie' | 'confirme' | 'en_cours' | 'realise' | 'annule' | 'absent' | undefined
        /** Window for the customer, within which somebody comes. */
        fenetre_client?: {
          /** Beginning: an instant, ISO 8601 with `Z` or its offset. */
          debut: string
          /** End, no longer part of it: an instant, ISO 8601 with `Z` or its offset. */
          fin: string
        } | null | undefined
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
        /** Notes for the installer. At most 5000 characters. */
        notes?: string | null | undefined
        /** Why it is cancelled, in words. At most 500 characters. */
        motif_annulation?: string | undefined
        /** Outcome of a visit. */
        resultat?: 'resolu' | 'partiel' | 'a_reprogrammer' | 'impossible' | undefined
        /** What was done, in the words of the installer. At most 5000 characters. */
        compte_rendu?: string | undefined
        /** Parts that were used. At most 50. */
        pieces?: ({
          /** Name of the part. At most 200 characters. */
          designation: string
          /** How many pieces. From 1 to 10000. */
          quantite: number
          /** Reference of a part, or of a case: `SAV-2026-00042`. At most 100 characters. */
          reference?: string | null | undefined
        })[] | undefined
        /** The delay in minutes that the installer reports. From 0 to 480. */
        retard_minutes?: number | null | undefined
        /** Whether customers get letters. */
        prevenir?: boolean | undefined
      }
      answer: {
        success: true
        data: AdvisedRdv
      }
    }
    /** Move, confirm, cancel or complete an appointment */
    '/api/v1/planning/{id}': Operations['PATCH']['/v1/planning/{id}']
  }
}

export interface CaseSummary {
  /** Number of the case. */
  id: number
  reference: string
  client: ClientName
  description: string
  statut: 'ouvert' | 'en_cours' | 'clos'
  priorite: 'basse' | 'normale' | 'haute' | 'urgente'
  /** UTC, ISO 8601 with milliseconds. */
  date_creation: string
  poseur_assigne: PoseurName | null
  /** Town of the client, if it is known. */
  ville: string | null
  /** The client’s telephone number; only for callers who may read clients. */
  telephone?: string | null | undefined
}

export interface ClientName {
  /** Number of the client. */
  id: number
  nom: string
  prenom: string
}

export interface PoseurName {
  /** Number of the installer. */
  id: number
  nom: string
}

export interface CaseDetail {
  /** Number of the case. */
  id: number
  reference: string
  client: ClientName
  description: string
  statut: 'ouvert' | 'en_cours' | 'clos'
  priorite: 'basse' | 'normale' | 'haute' | 'urgente'
  /** UTC, ISO 8601 with milliseconds. */
  date_creation: string
  poseur_assigne: PoseurName | null
  type_probleme: 'quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre'
  notes_internes: string | null
  photos: ({
    id: string
    url: string
    /** When the photo was added; absent if it came with the case. */
    date?: string | undefined
    /** Number of the appointment at which the photo was taken. */
    rdv_id?: number | undefined
  })[]
  /** The case’s number in the system it was imported from. */
  reference_origine: string | null
  resolution: string | null
  date_cloture: string | null
  /** The address of the file, for callers who may read cases. */
  photo_avant: string | null
  /** The address of the file, for callers who may read cases. */
  photo_apres: string | null
  /** The address of the file, for callers who may read cases. */
  signature_client: string | null
  signataire_nom: string | null
  reserves: string[]
  /** When the close happened on site, by the phone’s clock, if it arrived later (at `date_cloture`). */
  survenu_a: string | null
  /** How many milliseconds the phone’s clock was ahead. `survenu_a` is already corrected. */
  decalage_ms: number | null
  /** The address of the text that the customer was shown before signing. */
  vu: string | null
  /** Closes from the field that arrived after the case was closed, with their files. */
  addenda: ({
    /** When it arrived. */
    date: string
    /** When it happened, by the phone’s clock. */
    survenu_a: string
    resolution: string
    /** The address of the file, for callers who may read cases. */
    photo_avant: string | null
    /** The address of the file, for callers who may read cases. */
    photo_apres: string | null
    /** The address of the file, for callers who may read cases. */
    signature_client: string | null
    signataire_nom: string | null
    reserves: string[]
    /** The address of the file, for callers who may read cases. */
    vu: string | null
  })[]
  preuve: {
    /** The position in the account's chain of evidence. */
    sequence: number
    /** UTC, ISO 8601 with milliseconds. */
    date: string
    hash_sha256: string
    hash_entree: string
  }[]
  pv: {
    statut: 'non_configure' | 'en_file' | 'envoye' | 'echec'
    canaux: ({
      canal: string
      statut: 'en_file' | 'envoye' | 'echec'
      /** The id of the delivery in the history of deliveries. */
      livraison: string
      erreur: string | null
      /** The code of the error, as in `error_code` of an attempt. */
      code: string | null
    })[]
  } | null
  /** The work done at the appointments of the case. */
  interventions: Intervention[]
  historique: ({
    /** Number of the line; later lines have greater numbers. */
    id: number
    /** UTC, ISO 8601 with milliseconds. */
    date: string
    type: 'creation' | 'modification' | 'cloture' | 'reouverture' | 'pv' | 'rapport' | 'effacement' | 'intervention' | 'commentaire' | 'photo' | 'rdv' | 'addendum' | 'terrain'
    acteur: {
      type: 'cle' | 'utilisateur' | 'cli' | 'systeme' | 'client'
      id: string | null
      nom: string
    }
    champ: string | null
    /** A state or kind, a text, or the id of what the field refers to. */
    ancienne_valeur: string | number | null
    /** A state or kind, a text, or the id of what the field refers to. */
    nouvelle_valeur: string | number | null
    commentaire: string | null
  })[]
  /** UTC, ISO 8601 with milliseconds. */
  date_modification: string
  /** Grows by one with every change. */
  version: number
}

export interface Intervention {
  /** Number of the intervention. */
  id: number
  /** Number of the appointment. */
  rdv_id: number
  poseur: PoseurName
  /** The type of the appointment: `sav`, `pose`, … */
  type: string
  /** UTC, ISO 8601 with milliseconds. */
  date_debut: string
  /** UTC, ISO 8601 with milliseconds. */
  date_fin: string
  resultat: string | null
  compte_rendu: string | null
  pieces: Piece[]
  /** When the intervention happened, by the phone’s clock, if the installer reported it from the field. */
  survenu_a: string | null
}

export interface Piece {
  designation: string
  /** How many pieces. */
  quantite: number
  reference: string | null
}

export interface Comment {
  /** Number of the comment and of its line in the history. */
  id: number
  /** UTC, ISO 8601 with milliseconds. */
  date: string
  acteur: {
    type: 'cle' | 'utilisateur' | 'cli' | 'systeme' | 'client'
    id: string | null
    nom: string
  }
  texte: string
}

export interface Proof {
  /** Canonical JSON; its SHA-256 is `hash_sha256`. */
  snapshot: string | null
  hash_sha256: string
  /** When the snapshot was erased, and by which entry. */
  effacement: {
    /** UTC, ISO 8601 with milliseconds. */
    date: string
    /** The position in the account's chain of evidence. */
    sequence: number
  } | null
  entree: EvidenceEntry
  precedente: EvidenceEntry | null
  suivante: EvidenceEntry | null
  /** The oldest time stamp (RFC 3161) that covers the entry; `token` is DER in base64. */
  horodatage: {
    /** The position in the account's chain of evidence. */
    sequence: number
    hash_entree: string
    /** UTC, ISO 8601 with milliseconds. */
    date: string
    token: string
  } | null
}

export interface EvidenceEntry {
  /** Number of the format. */
  version: 1
  account: string
  /** Place in the account's chain of evidence: 1, 2, 3 … without a gap. */
  sequence: number
  reference: string
  /** UTC, ISO 8601 with milliseconds. */
  date: string
  /** SHA-256 of the snapshot's canonical JSON. */
  hash_dossier: string
  /** `hash_entree` of the entry before; 64 zeros for the first. */
  hash_precedent: string
  hash_entree: string
}

export interface CloseCheck {
  /** The position in the account's chain of evidence. */
  sequence: number
  hash_sha256: string
  /** UTC, ISO 8601 with milliseconds. */
  date: string
  /** `conforme`: the stored case has this hash; `efface`: it was erased at the customer’s request, as the chain shows; `altere`: it is missing or differs. */
  dossier: 'conforme' | 'efface' | 'altere'
  /** Whether the entry is valid and follows the one before it. */
  chaine: boolean
  /** When the case was last closed again. */
  remplace_le: string | null
}

export interface UndrawnReport {
  statut: 'en_file'
}

export interface Client {
  /** Number of the client. */
  id: number
  nom: string
  /** Empty for a company without a contact person. */
  prenom: string
  /** Name of the company; null for a private person. */
  raison_sociale: string | null
  email: string | null
  telephone: string | null
  adresse: string | null
  /** Where an installer travels to. */
  lieu: Lieu | null
  /** Whether the client agreed to messages by WhatsApp. */
  whatsapp: boolean
  /** When the personal data were erased. */
  efface_le: string | null
}

export interface Lieu {
  ligne1: string | null
  code_postal: string | null
  ville: string | null
  /** Degrees north, WGS 84. */
  lat: number | null
  /** Degrees east, WGS 84. */
  lon: number | null
  /** How to get in. */
  acces: string | null
}

export interface Poseur {
  /** Number of the installer. */
  id: number
  nom: string
  /** Whether the installer can be assigned to cases and visits. */
  actif: boolean
  email: string | null
  /** The colour of the installer in the planning: `#rrggbb`. */
  couleur: string | null
  /** Where the day begins. Without `lieu_retour`, it also ends there. */
  lieu: Lieu | null
  lieu_retour: Lieu | null
}

export interface EndpointWithHealth extends Endpoint {
  sante: ReceiverHealth
}

export interface ReceiverHealth {
  /** The first of these that applies. `desactive`: it is disabled. `en_echec`: the last five attempts failed, or all of the last five minutes. `ralenti`: half or more of those of the last hour failed. `ok`: otherwise. */
  etat: 'ok' | 'ralenti' | 'en_echec' | 'desactive'
  /** When this state began; null for `ok`. */
  depuis: string | null
  /** The result of the last attempt; null before the first. */
  derniere_reponse: {
    /** When the attempt began. */
    date: string
    /** HTTP status; null if there was no answer. */
    statut: number | null
    erreur: string | null
    /** The code of the error, as in `error_code` of an attempt. */
    code: string | null
  } | null
  /** How many attempts have failed since the last success. */
  echecs_consecutifs: number
  /** How many deliveries to this receiver wait: due, being attempted, or planned. */
  en_attente: number
  /** When the oldest delivery that is still due became due. */
  plus_ancien: string | null
  /** The share of successful attempts in the last hour, from 0 to 1; null without any attempt. From 0 to 1. */
  part_reussie: number | null
}

export interface Endpoint {
  /** `wh_…` */
  id: string
  url: string
  description: string | null
  events: ('sav.created' | 'sav.updated' | 'sav.status_changed' | 'sav.assigned' | 'sav.closed' | 'sav.reopened' | 'sav.report_sent' | 'sav.report_failed' | 'rdv.created' | 'rdv.rescheduled' | 'rdv.confirmed' | 'rdv.cancelled' | 'rdv.completed')[]
  /** Names of the custom headers. */
  headers: string[]
  disabled_at: string | null
  disabled_reason: string | null
  /** UTC, ISO 8601 with milliseconds. */
  created_at: string
  /** UTC, ISO 8601 with milliseconds. */
  updated_at: string
}

export interface Activity {
  /** The deliveries created in each of the last 24 hours, by their current state. The current hour is last. */
  heures: {
    /** UTC, ISO 8601 with milliseconds. */
    debut: string
    /** How many were delivered. */
    livrees: number
    /** How many failed. */
    echecs: number
    /** How many wait. */
    en_attente: number
  }[]
  /** The newest failed delivery among the newest 100. */
  derniere_erreur: {
    /** UTC, ISO 8601 with milliseconds. */
    date: string
    /** HTTP status. */
    statut: number | null
    erreur: string
    /** The code of the failure: `connection_refused`, `name_not_found`, `timeout`, `tls_…`, `status_503` …; null if it has none. */
    code: string | null
  } | null
  sante: ReceiverHealth
}

export interface Delivery {
  /** `dlv_…` */
  id: string
  event_id: string
  event: string
  /** Reference of its case; null if none, or if the caller may not read it. */
  reference: string | null
  endpoint_id: string
  channel: string
  state: 'pending' | 'delivered' | 'failed'
  /** How many attempts were made so far, over all runs. */
  attempt_count: number
  /** When the next attempt is due; null once the state is final. */
  next_attempt_at: string | null
  /** Status of the answer to the last attempt: HTTP, or SMTP for e-mail; null if there was none. */
  last_status: number | null
  last_error: string | null
  /** The code of the failure: `connection_refused`, `name_not_found`, `timeout`, `tls_…`, `status_503` …; null if it has none. */
  last_error_code: string | null
  /** UTC, ISO 8601 with milliseconds. */
  created_at: string
}

export interface DeliveryWithAttempts extends Delivery {
  attempts: ({
    /** The number of the attempt, from 1 over all runs. */
    n: number
    /** UTC, ISO 8601 with milliseconds. */
    started_at: string
    /** How many milliseconds the attempt took. */
    duration_ms: number
    /** Status of the answer: HTTP, or SMTP for e-mail; null if there was none. */
    status: number | null
    error: string | null
    /** The code of the failure: `connection_refused`, `name_not_found`, `timeout`, `tls_…`, `status_503` …; null if it has none. */
    error_code: string | null
    response_headers: {
      [name: string]: string
    } | null
    /** At most 16 KiB of the answer. */
    response: string | null
  })[]
  /** The exact text that every attempt sends. Null for a letter, and without the permission to read the event: `sav:read`, or `planning:read` for appointments. */
  body: string | null
}

export interface Replay {
  /** `rpl_…` */
  id: string
  state: 'running' | 'done' | 'cancelled'
  filter: {
    state: 'pending' | 'delivered' | 'failed'
    endpoint_id: string | null
    event: string | null
    since: string | null
  }
  /** How many deliveries matched when the replay began. */
  matched: number
  /** How many of them have been reopened so far. */
  retried: number
  /** UTC, ISO 8601 with milliseconds. */
  created_at: string
  ended_at: string | null
}

export interface Key {
  /** `key_…` */
  id: string
  nom: string
  permissions: ('sav:read' | 'sav:write' | 'sav:close' | 'directory:read' | 'directory:write' | 'webhooks:read' | 'webhooks:write' | 'terrain' | 'planning:read' | 'planning:write' | 'admin')[]
  /** The addresses from which the key may be used; empty: any. */
  ips: string[]
  /** UTC, ISO 8601 with milliseconds. */
  created_at: string
  /** UTC, ISO 8601 with milliseconds. */
  expires_at: string
  /** Whether the key is still valid, but expires within 30 days. */
  expires_soon: boolean
  revoked_at: string | null
  /** When the key was last used, to the minute. */
  last_used_at: string | null
}

export interface Account {
  id: string
  /** Company name, as printed. */
  raison_sociale: string | null
  adresse: string | null
  siret: string | null
  /** The address to which notices are sent. */
  email: string | null
  /** The number that customers call. */
  telephone: string | null
  /** Insurer and contract, as printed. */
  assureur: string | null
  /** Consumer mediator, as printed. */
  mediateur: string | null
  /** Whether the account has a logo. */
  logo: boolean
  /** The colour of customers' pages and letters: `#rrggbb`. */
  couleur: string
  /** Whether a close needs the customer's signature. */
  signature_requise: boolean
  /** Whether customers get letters about their appointments. */
  confirmation_rdv: boolean
  /** Whether customers get a reminder the day before an appointment. */
  rappel_rdv: boolean
  /** Whether `email` gets a notice when a customer cancels or moves an appointment. */
  prevenir_bureau: boolean
  lieu: Lieu | null
  /** The zone whose public holidays are days without work. */
  zone_feries: 'FR' | 'FR-57' | 'GP' | 'MQ' | 'GF' | 'RE' | 'YT' | 'PM' | 'BL' | 'MF' | 'NC' | 'PF' | 'WF'
  /** IANA name of the account’s time zone, if not the service’s. */
  fuseau: string | null
  /** Visits begin at multiples of this many minutes of the wall clock. */
  pas: number
  /** The sender of the e-mails, if not the company. */
  nom_expediteur: string | null
  /** The reply address of the e-mails, if not `email`. */
  repondre_a: string | null
  /** The base URL of links for customers, if not the service’s. */
  url_publique: string | null
  /** Short texts that installers choose from on their phones. */
  textes_terrain: string[]
  /** How many cases the account may create in a calendar month; null: no limit. */
  dossiers_par_mois: number | null
  /** How many bytes the photos, signatures and reports may take in all; null: no limit. */
  stockage_octets: number | null
}

export interface DeliveryHealth {
  /** How many are not final: due, being attempted, or planned. */
  en_attente: number
  /** How many are due and claimed by no process, including those to disabled endpoints. */
  dues: number
  /** How many are being attempted, or claimed to be attempted next. */
  en_cours: number
  /** When the oldest waiting delivery was created. */
  plus_ancienne: string | null
  /** Deliveries a second, to the hundredth. Counts those created and delivered in the last minute. */
  par_seconde: number
  /** How many were delivered, of those created in the last 24 hours. */
  livrees_24h: number
  /** How many failed, of those created in the last 24 hours. */
  echecs_24h: number
  /** The channels of the service: `webhook`, and those of letters, such as `email` or `whatsapp`. */
  canaux: string[]
  /** The store of the service; null: unknown. */
  base: {
    /** The kind of database. */
    moteur: string
    /** The newest migration that ran. */
    schema: string | null
  } | null
}

export interface WhoCalls {
  /** The person who signed in; null for a key. */
  utilisateur: {
    /** `usr_…` */
    id: string
    nom: string
    /** In lower case; unique in the account. */
    email: string
    role: 'administration' | 'gestion' | 'atelier' | 'poseur' | 'lecture'
    /** The id of the user as an installer, if any. */
    poseur_id: number | null
    passkeys: ({
      /** `psk_…` */
      id: string
      nom: string
      /** UTC, ISO 8601 with milliseconds. */
      date_creation: string
      derniere_utilisation: string | null
    })[]
  } | null
  /** The API key; null for a person. */
  cle: {
    id: string
    nom: string
  } | null
  /** The person named by the server that embeds this service; null if it named none. */
  hote: {
    id: string
    nom: string
  } | null
  permissions: ('sav:read' | 'sav:write' | 'sav:close' | 'directory:read' | 'directory:write' | 'webhooks:read' | 'webhooks:write' | 'terrain' | 'planning:read' | 'planning:write' | 'admin')[]
  /** The names of the features that this service has, such as `planning`. */
  fonctions: string[]
  compte: {
    id: string
    raison_sociale: string | null
    /** IANA name of the account’s time zone. */
    fuseau: string
  }
  /** When the key or the session ends at the latest; null if only the host program knows. */
  expire_a: string | null
}

export interface View {
  nom: string
  adresse: string
}

export interface AuditedCall {
  /** UTC, ISO 8601 with milliseconds. */
  time: string
  /** `*` if the row counts calls from several addresses. */
  ip: string
  method: string
  /** The path as this API description writes it. In other paths, unknown segments are replaced by `…`. */
  endpoint: string
  key_id: string | null
  /** The id of the user who signed in. */
  user_id: string | null
  /** The target of the call: `client:13`, `case:19`, `key:key_…`. Null when it has none. */
  target: string | null
  /** With `noms`: the current name of the target, if any (the client of an appointment or follow-up, the case of a file). */
  nom?: string | null | undefined
  /** HTTP status. */
  status: number
  /** How many milliseconds the answer took. */
  duration_ms: number
  request_id: string
  /** How many calls this row counts, if several without a key or session. Its other fields are of the last one. */
  calls?: number | undefined
}

export interface Readiness {
  /** How far the clock of the database is ahead of that of this process, in milliseconds; negative: behind. Null if both are the same clock. */
  ecart_horloge_ms: number | null
}

export interface Session {
  /** `ses_…` */
  id: string
  methode: 'invitation' | 'passkey' | 'oidc'
  /** The IP address from which the session began. */
  ip: string
  /** The browser’s User-Agent. */
  appareil: string
  /** UTC, ISO 8601 with milliseconds. */
  date_creation: string
  /** When the session was last used, to the minute. */
  derniere_utilisation: string
  /** When the session ends if it is not used again. */
  expire_a: string
}

export interface User {
  /** `usr_…` */
  id: string
  nom: string
  /** In lower case, and unique in the account. */
  email: string
  role: 'administration' | 'gestion' | 'atelier' | 'poseur' | 'lecture'
  /** The id of the person as an installer, if any. */
  poseur_id: number | null
  /** Whether this person may sign in. */
  actif: boolean
  /** UTC, ISO 8601 with milliseconds. */
  date_creation: string
  derniere_connexion: string | null
}

export interface Device {
  /** `ses_…`, the id of the phone’s session. */
  id: string
  /** The name that the owner gave the phone. */
  nom: string
  /** When the phone last called, to the minute. */
  dernier_contact: string
  /** How many writes the phone had not sent at its last contact; null if unknown. */
  en_attente: number | null
  /** UTC, ISO 8601 with milliseconds. */
  date_creation: string
  /** When the phone is signed out if it makes no contact before then. */
  expire_a: string
}

export interface Rdv {
  /** Number of the appointment. */
  id: number
  type: 'sav' | 'pose' | 'metre' | 'livraison' | 'controle' | 'autre'
  statut: 'propose' | 'planifie' | 'confirme' | 'en_cours' | 'realise' | 'annule' | 'absent'
  sav: {
    /** Number of the case. */
    id: number
    reference: string
  } | null
  client: ClientName
  poseur: PoseurName
  /** The teammates. */
  equipiers: PoseurName[]
  /** UTC, ISO 8601 with milliseconds. */
  debut: string
  /** UTC, ISO 8601 with milliseconds. */
  fin: string
  /** IANA name of the time zone in which the appointment was made. */
  fuseau: string
  /** Minutes from `debut` to `fin`, rounded up. */
  duree_minutes: number
  /** The window that was announced to the customer. */
  fenetre_client: {
    /** UTC, ISO 8601 with milliseconds. */
    debut: string
    /** UTC, ISO 8601 with milliseconds. */
    fin: string
  } | null
  lieu: Lieu | null
  /** Minutes of travel from the previous visit, if a round has computed them. */
  trajet_avant_minutes: number | null
  tournee: {
    date: string
    /** Position in the round, from 1. */
    ordre: number
  } | null
  /** When a proposal expires. Its time is then free again. */
  expire_a: string | null
  motif_annulation: string | null
  intervention_id: number | null
  resultat: 'resolu' | 'partiel' | 'a_reprogrammer' | 'impossible' | null
  compte_rendu: string | null
  pieces: Piece[]
  /** The delay in minutes that the installer reported. */
  retard_minutes: number | null
  notes: string | null
  /** Grows by one with every change. */
  version: number
}

export interface Slot {
  /** UTC, ISO 8601 with milliseconds. */
  debut: string
  /** UTC, ISO 8601 with milliseconds. */
  fin: string
  poseur: PoseurName
  /** How many minutes of travel from the visit before. */
  trajet_avant_minutes: number
  /** How many minutes of travel this visit adds to the day. */
  trajet_ajoute_minutes: number
  /** A token that books this slot within 15 minutes. It reserves nothing. */
  jeton: string
}

export interface Horaires {
  periodes: ({
    du: string | null
    au: string | null
    semaine: {
      lundi?: {
        debut: string
        fin: string
      }[] | undefined
      mardi?: {
        debut: string
        fin: string
      }[] | undefined
      mercredi?: {
        debut: string
        fin: string
      }[] | undefined
      jeudi?: {
        debut: string
        fin: string
      }[] | undefined
      vendredi?: {
        debut: string
        fin: string
      }[] | undefined
      samedi?: {
        debut: string
        fin: string
      }[] | undefined
      dimanche?: {
        debut: string
        fin: string
      }[] | undefined
    }
  })[]
  exceptions: {
    date: string
    plages: {
      debut: string
      fin: string
    }[]
  }[]
}

export interface Absences {
  absences: ({
    /** UTC, ISO 8601 with milliseconds. */
    debut: string
    /** UTC, ISO 8601 with milliseconds. */
    fin: string
    motif: string | null
  })[]
  /** Appointments during these absences. They are not moved automatically. */
  rdv: Rdv[]
}

export interface Competences {
  /** Empty if the installer has all skills. */
  competences: ('quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre')[]
}

export interface DayRounds {
  date: string
  /** Minutes of travel: between visits, from the start place, and to the end place. */
  minutes: number
  /** Kilometres of the same travel, rounded to a tenth. */
  kilometres: number
  tournees: Round[]
  avertissements: Note[]
}

export interface Round {
  /** Number of the installer. */
  poseur_id: number
  /** The point used to compute travel: the place’s coordinates, or else those of its postal code. */
  depart: {
    /** Degrees north, WGS 84. */
    lat: number
    /** Degrees east, WGS 84. */
    lon: number
  } | null
  visites: ({
    /** Number of the appointment. */
    rdv_id: number
    /** UTC, ISO 8601 with milliseconds. */
    debut: string
    /** UTC, ISO 8601 with milliseconds. */
    fin: string
    /** Minutes of travel from the previous visit, rounded up. */
    trajet_avant_minutes: number
    /** The point used to compute travel: the place’s coordinates, or else those of its postal code. */
    point: {
      /** Degrees north, WGS 84. */
      lat: number
      /** Degrees east, WGS 84. */
      lon: number
    } | null
  })[]
}

export interface Note {
  /** The code of the note, for programs. */
  code: 'poseur_not_working' | 'poseur_away' | 'poseur_not_skilled' | 'rdv_stays_unskilled' | 'rdv_stays_out_of_hours' | 'rdv_stays_days_full' | 'travel_estimated' | 'travel_partly_estimated' | 'rounds_own'
  /** The values in the message. */
  params: {
    [name: string]: string | number
  }
  /** The message in English. */
  message: string
}

export interface FollowUp {
  id: string
  type: 'rdv_annule_client' | 'rdv_deplace_client' | 'client_absent' | 'rdv_pendant_absence' | 'rapport_non_remis' | 'recepteur_en_echec' | 'terrain' | 'visite_impossible'
  /** When the follow-up was opened. */
  depuis: string
  rdv_id: number | null
  sav_id: number | null
  client: ClientName | null
  /** The reason, in the words of the shop, the customer or the receiver. */
  texte: string
  /** Why a report did not arrive: the `error_code` of an attempt by the first channel, else null. */
  code: string | null
}

export interface FieldDay {
  poseur: PoseurName
  /** The first local day. */
  du: string
  /** The last local day. */
  au: string
  /** The visits, by `debut`. */
  rdv: FieldRdv[]
  /** The cases of these visits. */
  dossiers: ({
    /** Number of the case. */
    id: number
    reference: string
    client: ClientName
    description: string
    statut: 'ouvert' | 'en_cours' | 'clos'
    priorite: 'basse' | 'normale' | 'haute' | 'urgente'
    type_probleme: 'quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre'
    photos: ({
      id: string
      url: string
      /** When the photo was added; absent if it came with the case. */
      date?: string | undefined
      /** Number of the appointment at which the photo was taken. */
      rdv_id?: number | undefined
    })[]
    resolution: string | null
    date_cloture: string | null
    reserves: string[]
    /** The work done at the appointments of the case. */
    interventions: Intervention[]
    /** Grows by one with every change. */
    version: number
    /** The newest first, at most 50. */
    commentaires: Comment[]
  })[]
  /** Prepared texts to choose from. */
  textes_terrain: string[]
}

export interface FieldRdv {
  /** Number of the appointment. */
  id: number
  type: 'sav' | 'pose' | 'metre' | 'livraison' | 'controle' | 'autre'
  statut: 'propose' | 'planifie' | 'confirme' | 'en_cours' | 'realise' | 'annule' | 'absent'
  sav: {
    /** Number of the case. */
    id: number
    reference: string
  } | null
  client: {
    /** Number of the client. */
    id: number
    nom: string
    prenom: string
    telephone: string | null
    /** The address as one text, if `lieu` has no lines of its own. */
    adresse: string | null
  }
  poseur: PoseurName
  /** The teammates. */
  equipiers: PoseurName[]
  /** UTC, ISO 8601 with milliseconds. */
  debut: string
  /** UTC, ISO 8601 with milliseconds. */
  fin: string
  /** IANA name of the time zone in which the appointment was made. */
  fuseau: string
  /** Minutes from `debut` to `fin`, rounded up. */
  duree_minutes: number
  /** The window that was announced to the customer. */
  fenetre_client: {
    /** UTC, ISO 8601 with milliseconds. */
    debut: string
    /** UTC, ISO 8601 with milliseconds. */
    fin: string
  } | null
  lieu: Lieu | null
  /** Minutes of travel from the previous visit, if a round has computed them. */
  trajet_avant_minutes: number | null
  tournee: {
    date: string
    /** Position in the round, from 1. */
    ordre: number
  } | null
  /** When a proposal expires. Its time is then free again. */
  expire_a: string | null
  motif_annulation: string | null
  intervention_id: number | null
  resultat: 'resolu' | 'partiel' | 'a_reprogrammer' | 'impossible' | null
  compte_rendu: string | null
  pieces: Piece[]
  /** The delay in minutes that the installer reported. */
  retard_minutes: number | null
  notes: string | null
  /** Grows by one with every change. */
  version: number
}

export interface Found {
  dossiers: ({
    /** Number of the case. */
    id: number
    reference: string
    client: ClientName
    /** Town, if it is known. */
    ville: string | null
    statut: 'ouvert' | 'en_cours' | 'clos'
    description: string
  })[]
  clients: ({
    /** Number of the client. */
    id: number
    nom: string
    prenom: string
    telephone: string | null
    /** Town, if it is known. */
    ville: string | null
  })[]
  /** The appointments of the cases and clients that were found. */
  rdv: ({
    /** Number of the appointment. */
    id: number
    /** UTC, ISO 8601 with milliseconds. */
    debut: string
    client: ClientName
    /** Town, if it is known. */
    ville: string | null
  })[]
}

export interface Statistics {
  du: string
  au: string
  /** The cases that are open now. */
  ouverts: {
    /** How many cases were created less than 7 days ago. */
    moins_7_jours: number
    /** How many cases were created 7 to less than 30 days ago. */
    moins_30_jours: number
    /** How many cases were created 30 days ago or more. */
    plus: number
  }
  /** From a case’s creation to its first visit, if that is in the period. */
  premiere_visite_jours: {
    /** The median in days, to a tenth. Null if nothing was counted. */
    mediane: number | null
    /** Nine of ten took at most this many days. */
    p90: number | null
  }
  /** From a case’s creation to its close, if that is in the period. */
  cloture_jours: {
    /** The median in days, to a tenth. Null if nothing was counted. */
    mediane: number | null
    /** Nine of ten took at most this many days. */
    p90: number | null
  }
  par_type: ({
    type: 'quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre'
    /** How many cases were created. */
    crees: number
    /** How many cases were closed in the period, and still are. */
    clos: number
    /** How many times cases were reopened. */
    rouverts: number
    /** How many visits were not the first of their case. */
    secondes_visites: number
  })[]
  par_poseur: {
    poseur: PoseurName
    /** How many visits took place. */
    visites: number
    /** Planned minutes of travel to these visits. */
    minutes_route: number
    /** Planned minutes of work at these visits. */
    minutes_travail: number
    /** How many times cases assigned to this installer were reopened. */
    rouverts: number
  }[]
  par_mois: {
    mois: string
    /** How many cases were created. */
    crees: number
    /** How many cases were closed in the period, and still are. */
    clos: number
    /** How many times cases were reopened. */
    rouverts: number
    /** How many visits were not the first of their case. */
    secondes_visites: number
  }[]
  /** The 50 parts that were used most. */
  pieces: ({
    designation: string
    reference: string | null
    /** How many pieces. */
    quantite: number
  })[]
}

export interface CaseCreated {
  /** Number of the case. */
  id: number
  reference: string
}

export interface CaseClosed {
  /** Number of the case. */
  id: number
  reference: string
  statut: 'clos'
  /** UTC, ISO 8601 with milliseconds. */
  date_cloture: string
  hash_sha256: string
  preuve: {
    /** The position in the account's chain of evidence. */
    sequence: number
    hash_entree: string
  }
  pv: {
    statut: 'non_configure' | 'en_file' | 'envoye' | 'echec'
  }
}

export interface AddedPhoto {
  id: string
  url: string
}

export interface ReportSent extends CaseCreated {
  /** Whether the reception report of the latest close reached the customer. */
  pv: {
    statut: 'non_configure' | 'en_file' | 'envoye' | 'echec'
    canaux: ({
      canal: string
      statut: 'en_file' | 'envoye' | 'echec'
      /** The id of the delivery in the history of deliveries. */
      livraison: string
      erreur: string | null
      /** The code of the error, as in `error_code` of an attempt. */
      code: string | null
    })[]
  }
}

export interface NewEndpoint extends Endpoint {
  /** The secret, `whsec_…`. Only this answer contains it. */
  secret: string
}

export interface NewSecret {
  /** `wh_…` */
  id: string
  /** The secret, `whsec_…`. Only this answer contains it. */
  secret: string
  /** When the old secret stops signing; null if it already has. */
  previous_expires_at: string | null
}

export interface TestDelivery {
  delivery_id: string
}

export interface ReplayPreview {
  /** How many deliveries matched when the replay began. */
  matched: number
}

export interface NewKey extends Key {
  /** The key itself, `sav_live_…`. Only this answer contains it. */
  key: string
}

export interface RolledKey extends NewKey {
  /** When the old key expires. */
  previous_expires_at: string
}

export type Invitation = {
  canal: 'lien'
  /** The link, which signs this person in once: `…/app/connexion#sav_inv_…`, or for an installer `…/app/terrain/#sav_inv_…`. Only the path, if the service has no public address. */
  url: string
  /** UTC, ISO 8601 with milliseconds. */
  expire_a: string
} | {
  canal: 'email'
  /** The recipient of the letter. */
  email: string
  /** `dlv_…`, the delivery of the letter, which has its outcome. */
  livraison: string
}

export interface AdvisedRdv extends Rdv {
  /** Warnings. The change was made nevertheless. */
  avertissements: Note[]
}

export interface OptimisedRounds {
  date: string
  /** Minutes of travel: between visits, from the start place, and to the end place. */
  minutes_avant: number
  /** Minutes of travel: between visits, from the start place, and to the end place. */
  minutes_apres: number
  /** Kilometres of the same travel, rounded to a tenth. */
  kilometres_avant: number
  /** Kilometres of the same travel, rounded to a tenth. */
  kilometres_apres: number
  tournees: Round[]
  /** The visits to move, each with its previous time and installer. */
  deplacements: {
    /** Number of the appointment. */
    rdv_id: number
    /** UTC, ISO 8601 with milliseconds. */
    debut: string
    /** Number of the installer. */
    poseur_id: number
    /** UTC, ISO 8601 with milliseconds. */
    ancien_debut: string
    /** Number of the installer. */
    ancien_poseur_id: number
  }[]
  avertissements: Note[]
  /** How many letters are sent when the plan is applied, if nothing changes until then. */
  lettres: number
  /** The version of a preview applies exactly this plan, as long as the day has not changed. The version of an applied plan undoes it (`tournees/annuler`) within 24 hours. */
  version: string
}

export interface ReplacedRdv {
  rdv: {
    /** Number of the appointment. */
    id: number
    /** UTC, ISO 8601 with milliseconds. */
    debut: string
    /** UTC, ISO 8601 with milliseconds. */
    fin: string
    poseur: {
      /** Number of the installer. */
      id: number
    }
    /** Grows by one with every change. */
    version: number
  }[]
  /** To undo this change within 24 hours, send it to `tournees/annuler`. */
  version: string
}

export interface UndoneRounds {
  rdv: {
    /** Number of the appointment. */
    id: number
    /** UTC, ISO 8601 with milliseconds. */
    debut: string
    /** UTC, ISO 8601 with milliseconds. */
    fin: string
    poseur: {
      /** Number of the installer. */
      id: number
    }
    /** Grows by one with every change. */
    version: number
  }[]
}

export interface DoneFollowUp {
  id: string
  type: 'rdv_annule_client' | 'rdv_deplace_client' | 'client_absent' | 'rdv_pendant_absence' | 'rapport_non_remis' | 'recepteur_en_echec' | 'terrain' | 'visite_impossible'
  /** UTC, ISO 8601 with milliseconds. */
  fait_le: string
  fait_par: {
    type: 'cle' | 'utilisateur' | 'cli' | 'systeme' | 'client'
    id: string | null
    nom: string
  }
}

export interface AnsweredRdv extends Rdv {
  constat: FieldConstat | null
}

export interface FieldConstat {
  /** At least one. */
  codes: ('rdv_deplace' | 'rdv_donne' | 'rdv_annule' | 'rdv_termine' | 'dossier_clos' | 'description_changee' | 'creneau_pris' | 'souhait')[]
  /** The visit as it is now, if the office moved, reassigned or ended it. */
  rdv: {
    /** Number of the appointment. */
    id: number
    statut: 'propose' | 'planifie' | 'confirme' | 'en_cours' | 'realise' | 'annule' | 'absent'
    /** UTC, ISO 8601 with milliseconds. */
    debut: string
    /** UTC, ISO 8601 with milliseconds. */
    fin: string
    poseur: PoseurName
  } | null
  /** What the customer was shown, and what the case says now. */
  description: {
    signee: string
    actuelle: string
  } | null
  /** Free times, if the next visit could not be booked. */
  alternatives: Slot[]
  /** The installer’s request to the office. */
  souhait: string | null
}

export interface UploadProgress {
  /** How many bytes have arrived, from the first byte without a gap. */
  recu: number
  /** How many bytes the whole file has. */
  taille: number
}

export interface Removed {
  /** `wh_…` */
  id: string
}

/** Why a call may be refused, by names that never change. */
export type RefusalCode =
  | 'account_being_erased'
  | 'account_cases_full'
  | 'account_exists'
  | 'account_name_erased'
  | 'account_storage_full'
  | 'answer_erased'
  | 'bad_request'
  | 'body_not_utf8'
  | 'case_already_closed'
  | 'case_closed'
  | 'case_closed_for_booking'
  | 'case_closes_by_closing'
  | 'case_customer_erased'
  | 'case_not_closed'
  | 'case_not_closed_for_report'
  | 'case_not_found'
  | 'case_unknown'
  | 'case_version_mismatch'
  | 'channel_impossible'
  | 'client_differs'
  | 'client_erased'
  | 'client_left'
  | 'client_not_reached'
  | 'client_or_case_required'
  | 'client_unknown'
  | 'conflict'
  | 'console_header_missing'
  | 'content_encoded'
  | 'content_hashes_otherwise'
  | 'content_range_wrong'
  | 'content_type_not_form'
  | 'content_type_not_json'
  | 'coordinates_incomplete'
  | 'cross_site'
  | 'date_named_twice'
  | 'day_changed_since_preview'
  | 'days_before_start'
  | 'delivery_in_attempt'
  | 'description_too_long'
  | 'description_too_short'
  | 'duration_and_end'
  | 'duration_or_end_required'
  | 'duration_out_of_range'
  | 'email_local_part_too_long'
  | 'end_not_after_start'
  | 'endpoint_disabled'
  | 'endpoint_removed'
  | 'expiry_past'
  | 'expiry_too_far'
  | 'export_too_long'
  | 'feature_not_composed'
  | 'file_missing'
  | 'first_name_or_company'
  | 'header_name_invalid'
  | 'header_name_reserved'
  | 'header_value_invalid'
  | 'headers_too_large'
  | 'headers_too_long'
  | 'idempotency_in_progress'
  | 'idempotency_mismatch'
  | 'identity_provider_missing'
  | 'image_content_unknown'
  | 'image_damaged'
  | 'image_encoded_too_large'
  | 'image_not_base64'
  | 'image_not_data_uri'
  | 'image_too_large'
  | 'image_too_many_megapixels'
  | 'image_too_many_pixels'
  | 'image_type_differs'
  | 'image_type_not_accepted'
  | 'import_client_required'
  | 'import_closed_before'
  | 'import_date_bounds'
  | 'import_email_ambiguous'
  | 'import_email_several'
  | 'import_erased'
  | 'import_kept'
  | 'import_kept_clos'
  | 'import_kept_closed'
  | 'import_kept_ouvert'
  | 'import_kept_visit'
  | 'import_key_twice'
  | 'import_own'
  | 'import_reference_unknown'
  | 'import_telephone_unusable'
  | 'import_time_taken'
  | 'import_visit_of_closed'
  | 'import_visit_too_long'
  | 'incomplete_body'
  | 'instant_out_of_range'
  | 'internal'
  | 'invalid'
  | 'invitation_not_by_email'
  | 'invitation_sent_once'
  | 'json_too_deep'
  | 'json_too_many_values'
  | 'key_cannot_sign_out'
  | 'key_expired'
  | 'key_has_no_device'
  | 'key_revoked'
  | 'key_rolled'
  | 'last_administrator'
  | 'limit_out_of_range'
  | 'lone_surrogate'
  | 'malformed_json'
  | 'method_not_allowed'
  | 'named_by_slot'
  | 'no_field'
  | 'no_letter_channel'
  | 'no_year_zero'
  | 'not_a_colour'
  | 'not_a_cursor'
  | 'not_a_date'
  | 'not_a_date_or_instant'
  | 'not_a_poseur_or_none'
  | 'not_a_sha256'
  | 'not_a_siret'
  | 'not_a_span_of_day'
  | 'not_a_time_of_day'
  | 'not_a_time_zone'
  | 'not_a_webhook_secret'
  | 'not_among'
  | 'not_an_account_name'
  | 'not_an_email'
  | 'not_an_idempotency_key'
  | 'not_an_instant'
  | 'not_an_integer'
  | 'not_an_ip_or_cidr'
  | 'not_found'
  | 'not_one_line'
  | 'not_own_visit'
  | 'not_positive'
  | 'not_signed_in'
  | 'not_written_as_date'
  | 'nothing_to_change'
  | 'nothing_to_search'
  | 'nul_character'
  | 'only_of_a_case'
  | 'only_with_rdv'
  | 'only_with_statut'
  | 'page_or_cursor'
  | 'passkey_needs_name'
  | 'passkey_registered'
  | 'passkeys_unavailable'
  | 'payload_too_large'
  | 'period_before_start'
  | 'permission_denied'
  | 'person_goes_already'
  | 'person_named_twice'
  | 'place_named_by_case'
  | 'place_unknown'
  | 'plan_too_old'
  | 'poseur_booked'
  | 'poseur_inactive'
  | 'poseur_no_longer_active'
  | 'poseur_unknown'
  | 'poseur_without_calendar'
  | 'preview_differs'
  | 'preview_required'
  | 'preview_unknown'
  | 'range_not_satisfiable'
  | 'rdv_absence_stays'
  | 'rdv_begun'
  | 'rdv_cancelled'
  | 'rdv_cannot_become'
  | 'rdv_changed_since_planned'
  | 'rdv_ended'
  | 'rdv_fixed'
  | 'rdv_hold_expired'
  | 'rdv_named_twice'
  | 'rdv_not_missed'
  | 'rdv_of_another_case'
  | 'rdv_over'
  | 'rdv_unknown'
  | 'rdv_version_mismatch'
  | 'read_from_other_site'
  | 'replay_suspected'
  | 'report_not_drawn_here'
  | 'report_on_its_way'
  | 'request_timeout'
  | 'required'
  | 'sign_in_needs_https'
  | 'sign_in_refused'
  | 'signature_required'
  | 'signature_without_ink'
  | 'slot_taken'
  | 'slot_token_expired'
  | 'slot_token_foreign'
  | 'slot_token_unfit'
  | 'span_ends_before_start'
  | 'span_not_after_start'
  | 'spans_overlap'
  | 'string_too_long'
  | 'telephone_impossible'
  | 'text_length'
  | 'text_too_long'
  | 'timestamp_ahead'
  | 'timestamp_behind'
  | 'timestamp_in_milliseconds'
  | 'timestamp_missing'
  | 'timestamp_not_integer'
  | 'too_few_items'
  | 'too_large'
  | 'too_many_days'
  | 'too_many_endpoints'
  | 'too_many_headers'
  | 'too_many_items'
  | 'too_many_requests'
  | 'too_many_secrets'
  | 'too_many_waiting'
  | 'too_small'
  | 'unauthorized'
  | 'unavailable'
  | 'undo_version_unknown'
  | 'unknown_field'
  | 'unsupported_media_type'
  | 'uploads_waiting'
  | 'url_has_credentials'
  | 'url_invalid'
  | 'url_not_absolute'
  | 'url_not_https'
  | 'url_not_plain'
  | 'url_not_public'
  | 'url_too_long'
  | 'user_disabled'
  | 'user_email_taken'
  | 'validation_failed'
  | 'version_mismatch'
  | 'write_from_other_site'
  | 'wrong_type'
  | 'year_out_of_range'
