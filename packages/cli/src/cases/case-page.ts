import type { HistoryEntry } from '@sav/core'
import type { CaseOnTheWire } from '@sav/http-node/links'
import { fields } from '../terminal/table.js'
import { manyLines, oneLine, type Terminal } from '../terminal/terminal.js'

/** One case as a page to read. */
export function casePage(terminal: Terminal, found: CaseOnTheWire): string {
  const head = fields(terminal, [
    [found.reference, `id ${found.id}, version ${found.version}`],
    ['Statut', found.statut],
    ['Priorité', found.priorite],
    ['Type', found.type_probleme],
    ['Client', `${found.client.prenom} ${found.client.nom} (${found.client.id})`],
    ['Poseur', found.poseur_assigne && `${found.poseur_assigne.nom} (${found.poseur_assigne.id})`],
    ['Créé', found.date_creation],
    ['Modifié', found.date_modification],
    ['Clos', found.date_cloture],
    ['Signataire', found.signataire_nom],
    ['Photos', found.photos.map(({ url }) => url).join(' ')],
    ['Avant, après', [found.photo_avant, found.photo_apres].filter((url) => url !== null).join(' ')],
    ['PV', found.pv?.statut ?? null],
    ...(found.pv?.canaux ?? []).map(
      ({ canal, statut, livraison, erreur }) =>
        [`  ${canal}`, [statut, livraison, erreur && oneLine(erreur)].filter(Boolean).join(', ')] as const,
    ),
  ])
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['Description', [manyLines(found.description)]],
    ['Notes internes', found.notes_internes ? [manyLines(found.notes_internes)] : []],
    ['Résolution', found.resolution ? [manyLines(found.resolution)] : []],
    ['Réserves', found.reserves.map((reserve, index) => `${index + 1}. ${oneLine(reserve)}`)],
    ['Preuve', found.preuve.map(({ sequence, date, hash_sha256 }) => `${sequence}. ${date}  ${hash_sha256}`)],
    ['Historique', found.historique.map(historyLine)],
  ]
  const shown = sections.filter(([, lines]) => lines.length > 0)
  return [head, ...shown.map(([title, lines]) => `${terminal.style('bold', title)}\n${indent(lines.join('\n'))}`)].join(
    '\n\n',
  )
}

function historyLine({
  date,
  type,
  acteur,
  champ,
  ancienne_valeur,
  nouvelle_valeur,
  commentaire,
}: HistoryEntry): string {
  const change = champ === null ? '' : ` ${champ}: ${ancienne_valeur ?? '-'} → ${nouvelle_valeur ?? '-'}`
  return oneLine(`${date}  ${type}${change}, ${acteur.nom} (${acteur.type})${commentaire ? `: ${commentaire}` : ''}`)
}

const indent = (text: string): string => text.replace(/^/gm, '  ')
