// Made from the routes of @sav/http-node: npm test -- client-operations -u writes it anew.

/** Every call of the API: its parameters, query and body, and what it answers. */
export interface Operations {
  GET: {
    '/api/v1/sav': {
      params: Record<never, never>
      query: {
        statut?: 'ouvert' | 'en_cours' | 'clos' | undefined
        client_id?: number | undefined
        poseur_id?: number | 'aucun' | undefined
        depuis?: string | undefined
        modifie_depuis?: string | undefined
        priorite?: 'basse' | 'normale' | 'haute' | 'urgente' | undefined
        type_probleme?: 'quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre' | undefined
        recherche?: string | undefined
        limite?: number | undefined
        page?: number | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: CaseSummary[]
        pagination: {
          page: number
          limite: number
          total: number
        }
      }
    }
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
    '/api/v1/sav/{id}/preuve': {
      params: {
        id: number
      }
      query: {
        sequence?: number | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: Proof
      }
    }
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
    '/api/v1/preuves': {
      params: Record<never, never>
      query: {
        curseur?: string | undefined
        limite?: number | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: EvidenceEntry[]
        pagination: {
          curseur: string | null
        }
      }
    }
    '/api/v1/sav/{id}/fichiers/{sha256}': {
      params: {
        id: number
        sha256: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array
    }
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
    '/api/v1/compte/apercu-pv': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array
    }
    '/v1/planning': {
      params: Record<never, never>
      query: {
        du?: string | undefined
        au?: string | undefined
        poseur_id?: number | undefined
        client_id?: number | undefined
        sav_id?: number | undefined
        statut?: 'propose' | 'planifie' | 'confirme' | 'en_cours' | 'realise' | 'annule' | 'absent' | undefined
        type?: 'sav' | 'pose' | 'metre' | 'livraison' | 'controle' | 'autre' | undefined
        limite?: number | undefined
        page?: number | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: Rdv[]
        pagination: {
          page: number
          limite: number
          total: number
        }
      }
    }
    '/v1/planning/creneaux': {
      params: Record<never, never>
      query: {
        duree: number
        sav_id?: number | undefined
        code_postal?: string | undefined
        ville?: string | undefined
        lat?: number | undefined
        lon?: number | undefined
        type_probleme?: 'quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre' | undefined
        du?: string | undefined
        au?: string | undefined
        poseur_id?: number | undefined
        pas?: number | undefined
        tampon?: number | undefined
        delai_min?: number | undefined
        fenetre?: string | undefined
        limite?: number | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: Slot[]
      }
    }
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
    '/v1/planning/tournees': {
      params: Record<never, never>
      query: {
        date: string
      }
      body: Record<never, never>
      answer: {
        success: true
        data: DayRounds
      }
    }
    '/calendriers/{calendar}': {
      params: {
        calendar: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array
    }
    '/api/v1/clients': {
      params: Record<never, never>
      query: {
        limite?: number | undefined
        page?: number | undefined
        recherche?: string | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: Client[]
        pagination: {
          page: number
          limite: number
          total: number
        }
      }
    }
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
    '/api/v1/poseurs': {
      params: Record<never, never>
      query: {
        limite?: number | undefined
        page?: number | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: Poseur[]
        pagination: {
          page: number
          limite: number
          total: number
        }
      }
    }
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
    '/api/v1/webhooks': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Endpoint[]
      }
    }
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
    '/api/v1/webhooks/livraisons': {
      params: Record<never, never>
      query: {
        state?: 'pending' | 'delivered' | 'failed' | undefined
        endpoint_id?: string | undefined
        event?: string | undefined
        since?: string | undefined
        curseur?: string | undefined
        limite?: number | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: Delivery[]
        pagination: {
          curseur: string | null
        }
      }
    }
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
    '/api/v1/webhooks/livraisons/rejouer': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Replay[]
      }
    }
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
    '/api/v1/cles': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Key[]
      }
    }
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
    '/api/v1/compte': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: Account
      }
    }
    '/api/v1/sante': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: DeliveryHealth
      }
    }
    '/api/v1/utilisateurs': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: User[]
      }
    }
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
    '/api/v1/session': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: WhoCalls
      }
    }
    '/api/v1/audit': {
      params: Record<never, never>
      query: {
        since?: string | undefined
        until?: string | undefined
        key_id?: string | undefined
        user_id?: string | undefined
        curseur?: string | undefined
        limite?: number | undefined
      }
      body: Record<never, never>
      answer: {
        success: true
        data: AuditedCall[]
        pagination: {
          curseur: string | null
        }
      }
    }
    '/rdv/{rdvPage}': {
      params: {
        rdvPage: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array | Uint8Array
    }
    '/verifier/{hash}': {
      params: {
        hash: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array | Uint8Array
    }
    '/healthz': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
      }
    }
    '/readyz': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
      }
    }
    '/openapi.json': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array
    }
    '/docs': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array
    }
    '/docs/reference.js': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array
    }
  }
  POST: {
    '/api/v1/sav': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        client_id: number
        description: string
        type_probleme?: 'quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre' | undefined
        priorite?: 'basse' | 'normale' | 'haute' | 'urgente' | undefined
        photos?: string[] | undefined
      }
      answer: {
        success: true
        data: CaseCreated
      }
    }
    '/api/v1/sav/{id}/cloturer': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        resolution: string
        photo_avant?: string | undefined
        photo_apres?: string | undefined
        signature_client?: string | undefined
        signataire_nom?: string | undefined
        reserves?: string[] | undefined
      } | Record<string, never>
      answer: {
        success: true
        data: CaseClosed
      }
    }
    '/api/v1/sav/{id}/rouvrir': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        motif: string
      }
      answer: {
        success: true
        data: CaseDetail
      }
    }
    '/api/v1/sav/{id}/pv/envoyer': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        canal?: 'email' | 'whatsapp' | undefined
      }
      answer: {
        success: true
        data: ReportSent
      }
    }
    '/v1/planning/rdv': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        jeton?: string | undefined
        poseur_id?: number | undefined
        debut?: string | undefined
        fin?: string | undefined
        duree_minutes?: number | undefined
        client_id?: number | undefined
        sav_id?: number | undefined
        type?: 'sav' | 'pose' | 'metre' | 'livraison' | 'controle' | 'autre' | undefined
        equipiers?: number[] | undefined
        statut?: 'propose' | 'planifie' | 'confirme' | undefined
        fenetre_client?: {
          debut: string
          fin: string
        } | null | undefined
        lieu?: {
          ligne1?: string | null | undefined
          code_postal?: string | null | undefined
          ville?: string | null | undefined
          lat?: number | null | undefined
          lon?: number | null | undefined
          acces?: string | null | undefined
        } | null | undefined
        notes?: string | null | undefined
        prevenir?: boolean | undefined
      }
      answer: {
        success: true
        data: AdvisedRdv
      }
    }
    '/v1/planning/tournees/optimiser': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        date: string
        poseur_ids?: number[] | undefined
        mode: 'apercu' | 'appliquer'
        version?: string | undefined
        prevenir?: boolean | undefined
      }
      answer: {
        success: true
        data: OptimisedRounds
      }
    }
    '/v1/planning/tournees/annuler': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        version: string
        prevenir?: boolean | undefined
      }
      answer: {
        success: true
        data: UndoneRounds
      }
    }
    '/v1/planning/calendrier': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: {
          url: string
        }
      }
    }
    '/v1/planning/poseurs/{id}/calendrier': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: {
          url: string
        }
      }
    }
    '/api/v1/clients': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        nom: string
        prenom: string
        email?: string | null | undefined
        telephone?: string | null | undefined
        adresse?: string | null | undefined
        lieu?: {
          ligne1?: string | null | undefined
          code_postal?: string | null | undefined
          ville?: string | null | undefined
          lat?: number | null | undefined
          lon?: number | null | undefined
          acces?: string | null | undefined
        } | null | undefined
        whatsapp?: boolean | undefined
      }
      answer: {
        success: true
        data: Client
      }
    }
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
    '/api/v1/poseurs': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        nom: string
        actif?: boolean | undefined
        email?: string | null | undefined
        couleur?: string | null | undefined
        lieu?: {
          ligne1?: string | null | undefined
          code_postal?: string | null | undefined
          ville?: string | null | undefined
          lat?: number | null | undefined
          lon?: number | null | undefined
          acces?: string | null | undefined
        } | null | undefined
        lieu_retour?: {
          ligne1?: string | null | undefined
          code_postal?: string | null | undefined
          ville?: string | null | undefined
          lat?: number | null | undefined
          lon?: number | null | undefined
          acces?: string | null | undefined
        } | null | undefined
      }
      answer: {
        success: true
        data: Poseur
      }
    }
    '/api/v1/webhooks': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        url: string
        events: ('sav.created' | 'sav.updated' | 'sav.status_changed' | 'sav.assigned' | 'sav.closed' | 'sav.reopened' | 'sav.report_sent' | 'sav.report_failed' | 'rdv.created' | 'rdv.rescheduled' | 'rdv.confirmed' | 'rdv.cancelled' | 'rdv.completed')[]
        description?: string | null | undefined
        headers?: {
          [name: string]: string
        } | undefined
      }
      answer: {
        success: true
        data: NewEndpoint
      }
    }
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
    '/api/v1/webhooks/{endpoint}/renouveler-secret': {
      params: {
        endpoint: string
      }
      query: Record<never, never>
      body: {
        chevauchement_secondes?: number | undefined
      }
      answer: {
        success: true
        data: NewSecret
      }
    }
    '/api/v1/webhooks/{endpoint}/tester': {
      params: {
        endpoint: string
      }
      query: Record<never, never>
      body: {
        event?: 'sav.created' | 'sav.updated' | 'sav.status_changed' | 'sav.assigned' | 'sav.closed' | 'sav.reopened' | 'sav.report_sent' | 'sav.report_failed' | 'rdv.created' | 'rdv.rescheduled' | 'rdv.confirmed' | 'rdv.cancelled' | 'rdv.completed' | undefined
      }
      answer: {
        success: true
        data: TestDelivery
      }
    }
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
    '/api/v1/webhooks/livraisons/rejouer': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        state?: 'pending' | 'delivered' | 'failed' | undefined
        endpoint_id?: string | undefined
        event?: string | undefined
        since?: string | undefined
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
    '/api/v1/cles': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        nom: string
        permissions: ('sav:read' | 'sav:write' | 'sav:close' | 'directory:read' | 'directory:write' | 'planning:read' | 'planning:write' | 'webhooks:read' | 'webhooks:write' | 'admin')[]
        expire?: string | undefined
        ips?: string[] | undefined
      }
      answer: {
        success: true
        data: NewKey
      }
    }
    '/api/v1/cles/{key}/renouveler': {
      params: {
        key: string
      }
      query: Record<never, never>
      body: {
        chevauchement_secondes?: number | undefined
      }
      answer: {
        success: true
        data: RolledKey
      }
    }
    '/api/v1/utilisateurs': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        nom: string
        email: string
        role: 'administration' | 'gestion' | 'atelier' | 'lecture'
        poseur_id?: number | null | undefined
      }
      answer: {
        success: true
        data: User
      }
    }
    '/api/v1/utilisateurs/{user}/inviter': {
      params: {
        user: string
      }
      query: Record<never, never>
      body: {
        canal?: 'email' | 'lien' | undefined
      }
      answer: {
        success: true
        data: Invitation
      }
    }
    '/rdv/{rdvPage}': {
      params: {
        rdvPage: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: Uint8Array | Uint8Array
    }
  }
  PUT: {
    '/api/v1/sav/{id}': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        statut?: 'ouvert' | 'en_cours' | 'clos' | undefined
        poseur_id?: number | null | undefined
        notes_internes?: string | null | undefined
        priorite?: 'basse' | 'normale' | 'haute' | 'urgente' | undefined
        type_probleme?: 'quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre' | undefined
      }
      answer: {
        success: true
        data: CaseDetail
      }
    }
    '/v1/planning/poseurs/{id}/horaires': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        periodes?: ({
          du?: string | null | undefined
          au?: string | null | undefined
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
        })[] | undefined
        exceptions?: {
          date: string
          plages: {
            debut: string
            fin: string
          }[]
        }[] | undefined
      }
      answer: {
        success: true
        data: Horaires
      }
    }
    '/v1/planning/poseurs/{id}/absences': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        absences: ({
          debut: string
          fin: string
          motif?: string | null | undefined
        })[]
      }
      answer: {
        success: true
        data: Absences
      }
    }
    '/v1/planning/poseurs/{id}/competences': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        competences: ('quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre')[]
      }
      answer: {
        success: true
        data: Competences
      }
    }
    '/api/v1/clients/{id}': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        nom?: string | undefined
        prenom?: string | undefined
        email?: string | null | undefined
        telephone?: string | null | undefined
        adresse?: string | null | undefined
        lieu?: {
          ligne1?: string | null | undefined
          code_postal?: string | null | undefined
          ville?: string | null | undefined
          lat?: number | null | undefined
          lon?: number | null | undefined
          acces?: string | null | undefined
        } | null | undefined
        whatsapp?: boolean | undefined
      }
      answer: {
        success: true
        data: Client
      }
    }
    '/api/v1/poseurs/{id}': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        nom?: string | undefined
        actif?: boolean | undefined
        email?: string | null | undefined
        couleur?: string | null | undefined
        lieu?: {
          ligne1?: string | null | undefined
          code_postal?: string | null | undefined
          ville?: string | null | undefined
          lat?: number | null | undefined
          lon?: number | null | undefined
          acces?: string | null | undefined
        } | null | undefined
        lieu_retour?: {
          ligne1?: string | null | undefined
          code_postal?: string | null | undefined
          ville?: string | null | undefined
          lat?: number | null | undefined
          lon?: number | null | undefined
          acces?: string | null | undefined
        } | null | undefined
      }
      answer: {
        success: true
        data: Poseur
      }
    }
    '/api/v1/webhooks/{endpoint}': {
      params: {
        endpoint: string
      }
      query: Record<never, never>
      body: {
        url?: string | undefined
        events?: ('sav.created' | 'sav.updated' | 'sav.status_changed' | 'sav.assigned' | 'sav.closed' | 'sav.reopened' | 'sav.report_sent' | 'sav.report_failed' | 'rdv.created' | 'rdv.rescheduled' | 'rdv.confirmed' | 'rdv.cancelled' | 'rdv.completed')[] | undefined
        description?: string | null | undefined
        headers?: {
          [name: string]: string
        } | undefined
      }
      answer: {
        success: true
        data: Endpoint
      }
    }
    '/api/v1/compte': {
      params: Record<never, never>
      query: Record<never, never>
      body: {
        raison_sociale?: string | null | undefined
        adresse?: string | null | undefined
        siret?: string | null | undefined
        email?: string | null | undefined
        telephone?: string | null | undefined
        assureur?: string | null | undefined
        mediateur?: string | null | undefined
        logo?: string | null | undefined
        signature_requise?: boolean | undefined
        confirmation_rdv?: boolean | undefined
        rappel_rdv?: boolean | undefined
        lieu?: {
          ligne1?: string | null | undefined
          code_postal?: string | null | undefined
          ville?: string | null | undefined
          lat?: number | null | undefined
          lon?: number | null | undefined
          acces?: string | null | undefined
        } | null | undefined
        zone_feries?: 'FR' | 'FR-57' | 'GP' | 'MQ' | 'GF' | 'RE' | 'YT' | 'PM' | 'BL' | 'MF' | 'NC' | 'PF' | 'WF' | undefined
        fuseau?: string | null | undefined
        nom_expediteur?: string | null | undefined
        repondre_a?: string | null | undefined
        url_publique?: string | null | undefined
      }
      answer: {
        success: true
        data: Account
      }
    }
    '/api/v1/utilisateurs/{user}': {
      params: {
        user: string
      }
      query: Record<never, never>
      body: {
        nom?: string | undefined
        email?: string | undefined
        role?: 'administration' | 'gestion' | 'atelier' | 'lecture' | undefined
        poseur_id?: number | null | undefined
        actif?: boolean | undefined
      }
      answer: {
        success: true
        data: User
      }
    }
  }
  PATCH: {
    '/v1/planning/{id}': {
      params: {
        id: number
      }
      query: Record<never, never>
      body: {
        debut?: string | undefined
        fin?: string | undefined
        duree_minutes?: number | undefined
        poseur_id?: number | undefined
        equipiers?: number[] | undefined
        type?: 'sav' | 'pose' | 'metre' | 'livraison' | 'controle' | 'autre' | undefined
        statut?: 'propose' | 'planifie' | 'confirme' | 'en_cours' | 'realise' | 'annule' | 'absent' | undefined
        fenetre_client?: {
          debut: string
          fin: string
        } | null | undefined
        lieu?: {
          ligne1?: string | null | undefined
          code_postal?: string | null | undefined
          ville?: string | null | undefined
          lat?: number | null | undefined
          lon?: number | null | undefined
          acces?: string | null | undefined
        } | null | undefined
        notes?: string | null | undefined
        motif_annulation?: string | undefined
        resultat?: 'resolu' | 'partiel' | 'a_reprogrammer' | 'impossible' | undefined
        compte_rendu?: string | undefined
        pieces?: ({
          designation: string
          quantite: number
          reference?: string | null | undefined
        })[] | undefined
        retard_minutes?: number | null | undefined
        prevenir?: boolean | undefined
      }
      answer: {
        success: true
        data: AdvisedRdv
      }
    }
  }
  DELETE: {
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
    '/api/v1/utilisateurs/{user}/sessions': {
      params: {
        user: string
      }
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
        data: {
          terminees: number
        }
      }
    }
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
    '/api/v1/session': {
      params: Record<never, never>
      query: Record<never, never>
      body: Record<never, never>
      answer: {
        success: true
      }
    }
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
  }
}

export interface CaseSummary {
  id: number
  reference: string
  client: {
    id: number
    nom: string
    prenom: string
  }
  description: string
  statut: 'ouvert' | 'en_cours' | 'clos'
  priorite: 'basse' | 'normale' | 'haute' | 'urgente'
  date_creation: string
  poseur_assigne: {
    id: number
    nom: string
  } | null
}

export interface CaseDetail {
  id: number
  reference: string
  client: {
    id: number
    nom: string
    prenom: string
  }
  description: string
  statut: 'ouvert' | 'en_cours' | 'clos'
  priorite: 'basse' | 'normale' | 'haute' | 'urgente'
  date_creation: string
  poseur_assigne: {
    id: number
    nom: string
  } | null
  type_probleme: 'quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre'
  photos: {
    id: string
    url: string
  }[]
  notes_internes: string | null
  resolution: string | null
  date_cloture: string | null
  photo_avant: string | null
  photo_apres: string | null
  signature_client: string | null
  signataire_nom: string | null
  reserves: string[]
  preuve: {
    sequence: number
    date: string
    hash_sha256: string
    hash_entree: string
  }[]
  pv: {
    statut: 'non_configure' | 'en_file' | 'envoye' | 'echec'
    canaux: ({
      canal: string
      statut: 'en_file' | 'envoye' | 'echec'
      livraison: string
      erreur: string | null
    })[]
  } | null
  interventions: ({
    id: number
    rdv_id: number
    poseur: {
      id: number
      nom: string
    }
    type: string
    date_debut: string
    date_fin: string
    resultat: string | null
    compte_rendu: string | null
    pieces: ({
      designation: string
      quantite: number
      reference: string | null
    })[]
  })[]
  historique: ({
    id: number
    date: string
    type: 'creation' | 'modification' | 'cloture' | 'reouverture' | 'pv' | 'rapport' | 'effacement' | 'intervention'
    acteur: {
      type: 'cle' | 'utilisateur' | 'cli' | 'systeme' | 'client'
      id: string | null
      nom: string
    }
    champ: string | null
    ancienne_valeur: string | number | null
    nouvelle_valeur: string | number | null
    commentaire: string | null
  })[]
  date_modification: string
  version: number
}

export interface Proof {
  snapshot: string | null
  hash_sha256: string
  effacement: {
    date: string
    sequence: number
  } | null
  entree: EvidenceEntry
  precedente: EvidenceEntry | null
  suivante: EvidenceEntry | null
  horodatage: {
    sequence: number
    hash_entree: string
    date: string
    token: string
  } | null
}

export interface EvidenceEntry {
  version: 1
  account: string
  sequence: number
  reference: string
  date: string
  hash_dossier: string
  hash_precedent: string
  hash_entree: string
}

export interface CloseCheck {
  sequence: number
  hash_sha256: string
  date: string
  dossier: 'conforme' | 'efface' | 'altere'
  chaine: boolean
  remplace_le: string | null
}

export interface UndrawnReport {
  statut: 'en_file'
}

export interface Rdv {
  id: number
  type: 'sav' | 'pose' | 'metre' | 'livraison' | 'controle' | 'autre'
  statut: 'propose' | 'planifie' | 'confirme' | 'en_cours' | 'realise' | 'annule' | 'absent'
  sav: {
    id: number
    reference: string
  } | null
  client: {
    id: number
    nom: string
    prenom: string
  }
  poseur: {
    id: number
    nom: string
  }
  equipiers: {
    id: number
    nom: string
  }[]
  debut: string
  fin: string
  fuseau: string
  duree_minutes: number
  fenetre_client: {
    debut: string
    fin: string
  } | null
  lieu: {
    ligne1: string | null
    code_postal: string | null
    ville: string | null
    lat: number | null
    lon: number | null
    acces: string | null
  } | null
  trajet_avant_minutes: number | null
  tournee: {
    date: string
    ordre: number
  } | null
  expire_a: string | null
  motif_annulation: string | null
  intervention_id: number | null
  resultat: 'resolu' | 'partiel' | 'a_reprogrammer' | 'impossible' | null
  compte_rendu: string | null
  pieces: ({
    designation: string
    quantite: number
    reference: string | null
  })[]
  retard_minutes: number | null
  notes: string | null
  version: number
}

export interface Slot {
  debut: string
  fin: string
  poseur: {
    id: number
    nom: string
  }
  trajet_avant_minutes: number
  trajet_ajoute_minutes: number
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
    debut: string
    fin: string
    motif: string | null
  })[]
  rdv: Rdv[]
}

export interface Competences {
  competences: ('quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre')[]
}

export interface DayRounds {
  date: string
  minutes: number
  kilometres: number
  tournees: ({
    poseur_id: number
    depart: {
      lat: number
      lon: number
    } | null
    visites: ({
      rdv_id: number
      debut: string
      fin: string
      trajet_avant_minutes: number
      point: {
        lat: number
        lon: number
      } | null
    })[]
  })[]
  avertissements: string[]
}

export interface Client {
  id: number
  nom: string
  prenom: string
  email: string | null
  telephone: string | null
  adresse: string | null
  lieu: {
    ligne1: string | null
    code_postal: string | null
    ville: string | null
    lat: number | null
    lon: number | null
    acces: string | null
  } | null
  whatsapp: boolean
  efface_le: string | null
}

export interface Poseur {
  id: number
  nom: string
  actif: boolean
  email: string | null
  couleur: string | null
  lieu: {
    ligne1: string | null
    code_postal: string | null
    ville: string | null
    lat: number | null
    lon: number | null
    acces: string | null
  } | null
  lieu_retour: {
    ligne1: string | null
    code_postal: string | null
    ville: string | null
    lat: number | null
    lon: number | null
    acces: string | null
  } | null
}

export interface Endpoint {
  id: string
  url: string
  description: string | null
  events: ('sav.created' | 'sav.updated' | 'sav.status_changed' | 'sav.assigned' | 'sav.closed' | 'sav.reopened' | 'sav.report_sent' | 'sav.report_failed' | 'rdv.created' | 'rdv.rescheduled' | 'rdv.confirmed' | 'rdv.cancelled' | 'rdv.completed')[]
  headers: string[]
  disabled_at: string | null
  disabled_reason: string | null
  created_at: string
  updated_at: string
}

export interface Activity {
  heures: {
    debut: string
    livrees: number
    echecs: number
    en_attente: number
  }[]
  derniere_erreur: {
    date: string
    statut: number | null
    erreur: string
  } | null
}

export interface Delivery {
  id: string
  event_id: string
  event: string
  reference: string | null
  endpoint_id: string
  channel: string
  state: 'pending' | 'delivered' | 'failed'
  attempt_count: number
  next_attempt_at: string | null
  last_status: number | null
  last_error: string | null
  created_at: string
}

export interface DeliveryWithAttempts {
  id: string
  event_id: string
  event: string
  reference: string | null
  endpoint_id: string
  channel: string
  state: 'pending' | 'delivered' | 'failed'
  attempt_count: number
  next_attempt_at: string | null
  last_status: number | null
  last_error: string | null
  created_at: string
  attempts: ({
    n: number
    started_at: string
    duration_ms: number
    status: number | null
    error: string | null
    response_headers: {
      [name: string]: string
    } | null
    response: string | null
  })[]
  body: string | null
}

export interface Replay {
  id: string
  state: 'running' | 'done' | 'cancelled'
  filter: {
    state: 'pending' | 'delivered' | 'failed'
    endpoint_id: string | null
    event: string | null
    since: string | null
  }
  matched: number
  retried: number
  created_at: string
  ended_at: string | null
}

export interface Key {
  id: string
  nom: string
  permissions: ('sav:read' | 'sav:write' | 'sav:close' | 'directory:read' | 'directory:write' | 'planning:read' | 'planning:write' | 'webhooks:read' | 'webhooks:write' | 'admin')[]
  ips: string[]
  created_at: string
  expires_at: string
  expires_soon: boolean
  revoked_at: string | null
  last_used_at: string | null
}

export interface Account {
  id: string
  raison_sociale: string | null
  adresse: string | null
  siret: string | null
  email: string | null
  telephone: string | null
  assureur: string | null
  mediateur: string | null
  logo: boolean
  signature_requise: boolean
  confirmation_rdv: boolean
  rappel_rdv: boolean
  lieu: {
    ligne1: string | null
    code_postal: string | null
    ville: string | null
    lat: number | null
    lon: number | null
    acces: string | null
  } | null
  zone_feries: 'FR' | 'FR-57' | 'GP' | 'MQ' | 'GF' | 'RE' | 'YT' | 'PM' | 'BL' | 'MF' | 'NC' | 'PF' | 'WF'
  fuseau: string | null
  nom_expediteur: string | null
  repondre_a: string | null
  url_publique: string | null
}

export interface DeliveryHealth {
  en_attente: number
  dues: number
  en_cours: number
  plus_ancienne: string | null
  par_seconde: number
  livrees_24h: number
  echecs_24h: number
  canaux: string[]
  base: {
    moteur: string
    schema: string | null
  } | null
}

export interface User {
  id: string
  nom: string
  email: string
  role: 'administration' | 'gestion' | 'atelier' | 'lecture'
  poseur_id: number | null
  actif: boolean
  date_creation: string
  derniere_connexion: string | null
}

export interface Session {
  id: string
  methode: 'invitation' | 'passkey' | 'oidc'
  ip: string
  appareil: string
  date_creation: string
  derniere_utilisation: string
  expire_a: string
}

export interface WhoCalls {
  utilisateur: {
    id: string
    nom: string
    email: string
    role: 'administration' | 'gestion' | 'atelier' | 'lecture'
    poseur_id: number | null
    passkeys: ({
      id: string
      nom: string
      date_creation: string
      derniere_utilisation: string | null
    })[]
  } | null
  cle: {
    id: string
    nom: string
  } | null
  permissions: ('sav:read' | 'sav:write' | 'sav:close' | 'directory:read' | 'directory:write' | 'planning:read' | 'planning:write' | 'webhooks:read' | 'webhooks:write' | 'admin')[]
  compte: {
    id: string
    raison_sociale: string | null
    fuseau: string
  }
  expire_a: string | null
}

export interface AuditedCall {
  time: string
  ip: string
  method: string
  endpoint: string
  key_id: string | null
  user_id: string | null
  status: number
  duration_ms: number
  request_id: string
  calls?: number | undefined
}

export interface CaseCreated {
  id: number
  reference: string
}

export interface CaseClosed {
  id: number
  reference: string
  statut: 'clos'
  date_cloture: string
  hash_sha256: string
  preuve: {
    sequence: number
    hash_entree: string
  }
  pv: {
    statut: 'non_configure' | 'en_file' | 'envoye' | 'echec'
  }
}

export interface ReportSent {
  id: number
  reference: string
  pv: {
    statut: 'non_configure' | 'en_file' | 'envoye' | 'echec'
    canaux: ({
      canal: string
      statut: 'en_file' | 'envoye' | 'echec'
      livraison: string
      erreur: string | null
    })[]
  }
}

export interface AdvisedRdv {
  id: number
  type: 'sav' | 'pose' | 'metre' | 'livraison' | 'controle' | 'autre'
  statut: 'propose' | 'planifie' | 'confirme' | 'en_cours' | 'realise' | 'annule' | 'absent'
  sav: {
    id: number
    reference: string
  } | null
  client: {
    id: number
    nom: string
    prenom: string
  }
  poseur: {
    id: number
    nom: string
  }
  equipiers: {
    id: number
    nom: string
  }[]
  debut: string
  fin: string
  fuseau: string
  duree_minutes: number
  fenetre_client: {
    debut: string
    fin: string
  } | null
  lieu: {
    ligne1: string | null
    code_postal: string | null
    ville: string | null
    lat: number | null
    lon: number | null
    acces: string | null
  } | null
  trajet_avant_minutes: number | null
  tournee: {
    date: string
    ordre: number
  } | null
  expire_a: string | null
  motif_annulation: string | null
  intervention_id: number | null
  resultat: 'resolu' | 'partiel' | 'a_reprogrammer' | 'impossible' | null
  compte_rendu: string | null
  pieces: ({
    designation: string
    quantite: number
    reference: string | null
  })[]
  retard_minutes: number | null
  notes: string | null
  version: number
  avertissements: string[]
}

export interface OptimisedRounds {
  date: string
  minutes_avant: number
  minutes_apres: number
  kilometres_avant: number
  kilometres_apres: number
  tournees: ({
    poseur_id: number
    depart: {
      lat: number
      lon: number
    } | null
    visites: ({
      rdv_id: number
      debut: string
      fin: string
      trajet_avant_minutes: number
      point: {
        lat: number
        lon: number
      } | null
    })[]
  })[]
  deplacements: {
    rdv_id: number
    debut: string
    poseur_id: number
    ancien_debut: string
    ancien_poseur_id: number
  }[]
  avertissements: string[]
  lettres: number
  version: string
}

export interface UndoneRounds {
  rdv: {
    id: number
    debut: string
    fin: string
    poseur: {
      id: number
    }
    version: number
  }[]
}

export interface NewEndpoint {
  id: string
  url: string
  description: string | null
  events: ('sav.created' | 'sav.updated' | 'sav.status_changed' | 'sav.assigned' | 'sav.closed' | 'sav.reopened' | 'sav.report_sent' | 'sav.report_failed' | 'rdv.created' | 'rdv.rescheduled' | 'rdv.confirmed' | 'rdv.cancelled' | 'rdv.completed')[]
  headers: string[]
  disabled_at: string | null
  disabled_reason: string | null
  created_at: string
  updated_at: string
  secret: string
}

export interface NewSecret {
  id: string
  secret: string
  previous_expires_at: string | null
}

export interface TestDelivery {
  delivery_id: string
}

export interface ReplayPreview {
  matched: number
}

export interface NewKey {
  id: string
  nom: string
  permissions: ('sav:read' | 'sav:write' | 'sav:close' | 'directory:read' | 'directory:write' | 'planning:read' | 'planning:write' | 'webhooks:read' | 'webhooks:write' | 'admin')[]
  ips: string[]
  created_at: string
  expires_at: string
  expires_soon: boolean
  revoked_at: string | null
  last_used_at: string | null
  key: string
}

export interface RolledKey {
  id: string
  nom: string
  permissions: ('sav:read' | 'sav:write' | 'sav:close' | 'directory:read' | 'directory:write' | 'planning:read' | 'planning:write' | 'webhooks:read' | 'webhooks:write' | 'admin')[]
  ips: string[]
  created_at: string
  expires_at: string
  expires_soon: boolean
  revoked_at: string | null
  last_used_at: string | null
  key: string
  previous_expires_at: string
}

export type Invitation = {
  canal: 'lien'
  url: string
  expire_a: string
} | {
  canal: 'email'
  email: string
  livraison: string
}

export interface Removed {
  id: string
}

/** Why a call may be refused, by names that never change. */
export type RefusalCode =
  | 'account_exists'
  | 'answer_erased'
  | 'bad_request'
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
  | 'expiry_past'
  | 'expiry_too_far'
  | 'file_being_removed'
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
  | 'incomplete_body'
  | 'instant_out_of_range'
  | 'internal'
  | 'invalid'
  | 'invitation_not_by_email'
  | 'invitation_sent_once'
  | 'json_name_twice'
  | 'json_too_deep'
  | 'json_too_many_values'
  | 'key_cannot_sign_out'
  | 'key_expired'
  | 'key_revoked'
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
  | 'not_a_siret'
  | 'not_a_span_of_day'
  | 'not_a_time_of_day'
  | 'not_a_time_zone'
  | 'not_among'
  | 'not_an_account_name'
  | 'not_an_email'
  | 'not_an_idempotency_key'
  | 'not_an_instant'
  | 'not_an_integer'
  | 'not_an_ip_or_cidr'
  | 'not_found'
  | 'not_one_line'
  | 'not_positive'
  | 'nothing_to_change'
  | 'nothing_to_search'
  | 'nul_character'
  | 'only_with_statut'
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
  | 'rdv_begun'
  | 'rdv_cancelled'
  | 'rdv_cannot_become'
  | 'rdv_changed_since_planned'
  | 'rdv_ended'
  | 'rdv_fixed'
  | 'rdv_hold_expired'
  | 'rdv_over'
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
  | 'slot_taken'
  | 'slot_token_expired'
  | 'slot_token_foreign'
  | 'slot_token_unfit'
  | 'slot_token_unknown'
  | 'span_ends_before_start'
  | 'span_not_after_start'
  | 'spans_overlap'
  | 'string_too_long'
  | 'text_length'
  | 'text_too_long'
  | 'timestamp_ahead'
  | 'timestamp_behind'
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
