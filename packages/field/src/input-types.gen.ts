// Made from the schemas of inputs.gen.ts: npm test -- client-operations -u rewrites it.

/** What each use case takes. */
export interface Inputs {
  began: {
    /** When it happened, by the phone’s clock. */
    survenu_a: string
    /** By how many milliseconds the phone’s clock is ahead of the service’s. */
    decalage_ms?: number | undefined
    /** Number of the version of the appointment that the phone knew. */
    version?: number | undefined
  }
  missed: {
    /** When it happened, by the phone’s clock. */
    survenu_a: string
    /** By how many milliseconds the phone’s clock is ahead of the service’s. */
    decalage_ms?: number | undefined
    /** Number of the version of the appointment that the phone knew. */
    version?: number | undefined
    /** What was done, in the words of the installer. At most 5000 characters. */
    compte_rendu?: string | undefined
  }
  late: {
    /** When it happened, by the phone’s clock. */
    survenu_a: string
    /** By how many milliseconds the phone’s clock is ahead of the service’s. */
    decalage_ms?: number | undefined
    /** Number of the version of the appointment that the phone knew. */
    version?: number | undefined
    /** The delay in minutes. From 0 to 480. */
    minutes: number
  }
  intervention: {
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
  takeBack: {
    /** Status. */
    statut: 'propose' | 'planifie' | 'confirme' | 'en_cours' | 'realise' | 'annule' | 'absent'
  }
  bookNext: {
    /** Token of a slot that was offered. At most 1000 characters. */
    jeton: string
    /** Number of the case of the caller’s visit. */
    sav_id: number
  }
  ownSlots: {
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
  fieldDay: {
    /** Number of the installer. */
    poseur_id?: number | undefined
  }
  fieldFile: {
    /** `1`: a small picture of it. */
    vignette?: '1' | undefined
  }
}
