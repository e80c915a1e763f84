// Made from the schemas of inputs.gen.ts: npm test -- client-operations -u rewrites it.

/** What each use case takes. */
export interface Inputs {
  bookRdv: {
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
  changeRdv: {
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
  listRdv: {
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
  listCaseRdv: {
    /** The maximum number of appointments on a page. From 1 to 200. */
    limite?: number | undefined
    /** The `curseur` of the previous page. At most 8000 characters. */
    curseur?: string | undefined
  }
  renewCalendar: {
    /** Number of the installer. */
    poseur_id?: number | undefined
  }
  rdvAnswer: {
    /** What the customer does: confirm, move (`deplacer`), cancel (`annuler`), or say how to get in (`acces`). */
    action: 'confirmer'
    /** Number of the appointment’s version that the page shows. */
    version: number
  } | {
    /** What the customer does: confirm, move (`deplacer`), cancel (`annuler`), or say how to get in (`acces`). */
    action: 'deplacer'
    /** Number of the appointment’s version that the page shows. */
    version: number
    /** Token of a slot that was offered. At most 300 characters. */
    jeton: string
  } | {
    /** What the customer does: confirm, move (`deplacer`), cancel (`annuler`), or say how to get in (`acces`). */
    action: 'annuler'
    /** Number of the appointment’s version that the page shows. */
    version: number
    /** Reason, in words. At most 300 characters. */
    motif?: string | undefined
  } | {
    /** What the customer does: confirm, move (`deplacer`), cancel (`annuler`), or say how to get in (`acces`). */
    action: 'acces'
    /** How to get in: floor, door code, where to park. At most 200 characters. */
    acces: string
  }
  rounds: {
    /** A local day: YYYY-MM-DD. */
    date: string
  }
  optimise: {
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
  replace: {
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
  undo: {
    /** The version from the answer that applied the change. At most 1000000 characters. */
    version: string
    /** Whether customers get letters. */
    prevenir?: boolean | undefined
  }
  slots: {
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
  horaires: {
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
  absencesBody: {
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
  absences: {
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
  competencesBody: {
    /** Skills: the kinds of problem that an installer handles. At most 100. */
    competences: ('quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre')[]
  }
  competences: {
    /** Skills: the kinds of problem that an installer handles. At most 100. */
    competences: ('quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre')[]
  }
}
