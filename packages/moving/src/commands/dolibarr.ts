import type { Mappings } from './mapping-shape.js'
import { plainText } from './plain-text.js'

/** The kind of a third party, a field that only Dolibarr has. */
const kind = 'type_tiers'
const person = /^(TE_PRIVATE|particulier|individu privé|(private )?individual)/i
const civility = /^(?:(?:m|mr|mme|mlle|monsieur|madame|mademoiselle|et|&)\.?\s+)+/i
const capitals = /^\p{Lu}[\p{Lu}'’-]+$/u

/**
 * A third party's name is one cell: for a person, first name and last name, as Dolibarr writes them. Words in capitals
 * are the last name, at any position.
 */
function namesOf(nom: string): { readonly nom: string; readonly prenom?: string } {
  const words = nom.trim().replace(civility, '').split(/\s+/)
  const [first = '', ...rest] = words
  if (rest.length === 0) return { nom }
  const last = words.filter((word) => capitals.test(word))
  if (last.length === 0 || last.length === words.length) return { nom: rest.join(' '), prenom: first }
  return { nom: last.join(' '), prenom: words.filter((word) => !capitals.test(word)).join(' ') }
}

/**
 * The headings of Dolibarr's exports (Tools, New export), in French and in English: third parties, tickets,
 * intervention cards with their lines. An intervention names no installer: add a column `poseur`.
 */
export const dolibarr: Mappings = {
  clients: {
    cell: plainText,
    row({ [kind]: of, ...fields }) {
      const { nom, prenom } = fields
      return person.test(String(of)) && prenom === undefined ? { ...fields, ...namesOf(String(nom ?? '')) } : fields
    },
    columns: {
      'Type du tiers': kind,
      'Type de tiers': kind,
      'Third-party type': kind,
      Id: 'id_externe',
      'Id tiers': 'id_externe',
      'Nom du tiers': 'nom',
      Nom: 'nom',
      'Third-party name': 'nom',
      Name: 'nom',
      Email: 'email',
      'E-mail': 'email',
      Téléphone: 'telephone',
      Phone: 'telephone',
      Adresse: 'ligne1',
      Address: 'ligne1',
      'Code postal': 'code_postal',
      Zip: 'code_postal',
      'Zip Code': 'code_postal',
      Ville: 'ville',
      Town: 'ville',
      City: 'ville',
    },
  },
  cases: {
    cell: plainText,
    columns: {
      'ID technique': 'id_externe',
      'Technical ID': 'id_externe',
      'Réf.': 'reference_origine',
      Ref: 'reference_origine',
      'Ref.': 'reference_origine',
      Tiers: 'client_id_externe',
      'Id tiers': 'client_id_externe',
      'Third party': 'client_id_externe',
      ThirdParty: 'client_id_externe',
      Sujet: 'description',
      Subject: 'description',
      Message: 'description',
      Sévérité: 'priorite',
      Severity: 'priorite',
      État: 'statut',
      Statut: 'statut',
      Status: 'statut',
      'Date création': 'date_creation',
      'Date de création': 'date_creation',
      'Creation date': 'date_creation',
      'Date clôture': 'date_cloture',
      'Date de clôture': 'date_cloture',
      'Clôturé le': 'date_cloture',
      'Closed on': 'date_cloture',
      'Close date': 'date_cloture',
      Résolution: 'resolution',
      Resolution: 'resolution',
      'Assigné à': 'poseur',
      'Affecté à': 'poseur',
      'Assigned to': 'poseur',
    },
  },
  visits: {
    cell: plainText,
    columns: {
      'Id ligne': 'id_externe',
      'Id ligne intervention': 'id_externe',
      'Line id': 'id_externe',
      'Intervention line id': 'id_externe',
      'Id tiers': 'client_id_externe',
      'Id company': 'client_id_externe',
      'Date ligne intervention': 'debut',
      'Date ligne': 'debut',
      'Intervention line date': 'debut',
      'Desc. ligne intervention': 'notes',
      'Description ligne': 'notes',
      'Intervention line description': 'notes',
      'Affecté à': 'poseur',
    },
    defaults: { poseur_defaut: 'À affecter' },
  },
}
