import type { HistoryEntry } from '@sav/core'
import type { CaseOnTheWire } from '@sav/http-node/links'
import type { Context } from '../invocation/context.js'
import { type PeopleTime, peopleTime } from '../terminal/people-time.js'
import { fields } from '../terminal/table.js'
import { manyLines, oneLine } from '../terminal/terminal.js'

/** One case as a text of several lines, for a person to read. */
export function casePage(context: Context, found: CaseOnTheWire): string {
  const { terminal } = context
  const local = peopleTime(context)
  const head = fields(terminal, [
    [found.reference, `id ${found.id}, version ${found.version}`],
    ['Status', found.statut],
    ['Priority', found.priorite],
    ['Type', found.type_probleme],
    ['Client', `${found.client.prenom} ${found.client.nom} (${found.client.id})`.trim()],
    ['Poseur', found.poseur_assigne && `${found.poseur_assigne.nom} (${found.poseur_assigne.id})`],
    ['Created', local.zoned(found.date_creation)],
    ['Changed', local.at(found.date_modification)],
    ['Closed', local.at(found.date_cloture)],
    ['On site', found.survenu_a && local.at(found.survenu_a)],
    ['Signed by', found.signataire_nom],
    ['Photos', found.photos.map(({ url }) => url).join(' ')],
    ['Before, after', [found.photo_avant, found.photo_apres].filter((url) => url !== null).join(' ')],
    ['PV', found.pv?.statut ?? null],
    ...(found.pv?.canaux ?? []).map(
      ({ canal, statut, livraison, erreur }) =>
        [`  ${canal}`, [statut, livraison, erreur && oneLine(erreur)].filter(Boolean).join(', ')] as const,
    ),
  ])
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['Description', [manyLines(found.description)]],
    ['Internal notes', found.notes_internes ? [manyLines(found.notes_internes)] : []],
    ['Resolution', found.resolution ? [manyLines(found.resolution)] : []],
    ['Reservations', found.reserves.map((reserve, index) => `${index + 1}. ${oneLine(reserve)}`)],
    [
      'Evidence',
      found.preuve.map(({ sequence, date, hash_sha256 }) => `${sequence}. ${local.at(date)}  ${hash_sha256}`),
    ],
    ['History', found.historique.map((entry) => historyLine(entry, local))],
  ]
  const shown = sections.filter(([, lines]) => lines.length > 0)
  return [head, ...shown.map(([title, lines]) => `${terminal.style('bold', title)}\n${indent(lines.join('\n'))}`)].join(
    '\n\n',
  )
}

function historyLine(entry: HistoryEntry, local: PeopleTime): string {
  const { date, type, acteur, champ, ancienne_valeur, nouvelle_valeur, commentaire } = entry
  const change = champ === null ? '' : ` ${champ}: ${ancienne_valeur ?? '-'} → ${nouvelle_valeur ?? '-'}`
  const said = commentaire ? `: ${commentaire}` : ''
  return oneLine(`${local.at(date)}  ${type}${change}, ${acteur.nom} (${acteur.type})${said}`)
}

const indent = (text: string): string => text.replace(/^/gm, '  ')
