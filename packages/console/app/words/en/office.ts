import type { Words } from '../fr.js'

export const office = {
  toDo: {
    title: 'To deal with',
    types: {
      rdv_annule_client: 'The customer cancelled',
      rdv_deplace_client: 'The customer moved it',
      client_absent: 'Customer absent',
      rdv_pendant_absence: 'Visit during an absence',
      rapport_non_remis: 'Report not delivered',
      recepteur_en_echec: 'Failing webhook',
      terrain: 'Reported from the field',
    },
    done: 'Done',
    doneFor: (what: string) => `Mark as dealt with: ${what}`,
    nothing: 'Nothing is waiting: all is dealt with.',
    toCase: 'Case',
    toVisit: 'Visit',
    toReceiver: 'Webhooks',
  },
  finder: {
    title: 'Search everything',
    hint: 'What the customer says: name, street, town, telephone, words of the problem, number',
    nothing: 'Nothing matches.',
    found: (n: number) => (n === 1 ? '1 result' : `${n} results`),
    caseFor: (name: string) => `New case for ${name}`,
    bookFor: (what: string) => `Plan a visit: ${what}`,
    newCase: 'New case',
    book: 'Plan',
    keys: 'Keyboard shortcuts',
    keysHere: {
      find: 'Search everywhere',
      search: 'Search the open list, or everywhere',
      new: 'New case; new client, new visit on their pages',
      help: 'This help',
      rows: 'Next row, previous row of a list',
      close: 'Close',
    },
  },
} satisfies Partial<Words>
