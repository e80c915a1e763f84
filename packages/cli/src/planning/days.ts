import type { PoseurView, RdvView } from '@sav/core'
import { reachableDirectory } from '../directory/reachable-directory.js'
import { CommandError, usageError } from '../invocation/command-error.js'
import type { Context } from '../invocation/context.js'
import { exitCodes } from '../invocation/exit-codes.js'
import type { Output } from '../invocation/output.js'
import { fields, table } from '../terminal/table.js'
import { isDate, type LocalTime, localTime, weekOf } from './local-time.js'
import { type ReachablePlanning, reachablePlanning } from './reachable-planning.js'
import { weekDrawing } from './week-drawing.js'

export interface DaysOptions {
  readonly date?: string
  readonly poseurId?: number
}

export async function planningWeek(context: Context, { date, poseurId }: DaysOptions): Promise<Output> {
  const planning = await reachablePlanning(context)
  const local = localTime(planning.timeZone)
  const days = weekOf(asked(date, local))
  const rdvs = await all(planning, { du: days[0], au: days.at(-1), poseur_id: poseurId })
  const poseurs = (await activePoseurs(context)).filter(({ id }) => poseurId === undefined || id === poseurId)
  return { json: rdvs, text: weekDrawing(rdvs, { terminal: context.terminal, local, days, poseurs }) }
}

export async function planningDay(context: Context, { date, poseurId }: DaysOptions): Promise<Output> {
  const planning = await reachablePlanning(context)
  const local = localTime(planning.timeZone)
  const day = asked(date, local)
  const rdvs = await all(planning, { du: day, au: day, poseur_id: poseurId })
  const byPoseur = rdvs.toSorted((a, b) => a.poseur.nom.localeCompare(b.poseur.nom, 'fr') || a.poseur.id - b.poseur.id)
  const rows = byPoseur.map((rdv) => [
    `${rdv.poseur.nom} (${rdv.poseur.id})`,
    local.hoursOf(rdv),
    rdv.id,
    rdv.statut,
    rdv.type,
    `${rdv.client.prenom} ${rdv.client.nom}`,
    placeOf(rdv),
  ])
  const headings = ['POSEUR', 'TIME', 'ID', 'STATUT', 'TYPE', 'CLIENT', 'PLACE']
  const drawn = table(context.terminal, headings, rows, 'No appointment.')
  return { json: rdvs, text: `${day}, times in ${local.timeZone}\n\n${drawn}` }
}

function asked(date: string | undefined, local: LocalTime): string {
  if (date === undefined) return local.dateOf(new Date().toISOString())
  if (!isDate(date)) throw usageError(`--date ${date}: it must be a day as YYYY-MM-DD.`)
  return date
}

function all(planning: ReachablePlanning, filter: Parameters<ReachablePlanning['list']>[0]): Promise<RdvView[]> {
  return everyPage((page) => planning.list({ ...filter, page, limite: 200 }))
}

/** None where the key may not read the directory. */
async function activePoseurs(context: Context): Promise<PoseurView[]> {
  const { poseurs } = await reachableDirectory(context)
  const mayNot = (error: unknown) => error instanceof CommandError && error.exitCode === exitCodes.notAllowed
  const found = await everyPage((page) => poseurs.list({ page, limite: 200 })).catch((error: unknown) => {
    if (mayNot(error)) return []
    throw error
  })
  return found.filter(({ actif }) => actif)
}

async function everyPage<Item>(
  list: (page: number) => Promise<{ readonly items: readonly Item[]; readonly total: number }>,
): Promise<Item[]> {
  const found: Item[] = []
  for (let page = 1; ; page += 1) {
    const { items, total } = await list(page)
    found.push(...items)
    if (items.length === 0 || found.length >= total) return found
  }
}

const placeOf = ({ lieu }: RdvView) =>
  [lieu?.ligne1, [lieu?.code_postal, lieu?.ville].filter(Boolean).join(' ')].filter(Boolean).join(', ') || null

/** One appointment, to read. */
export function rdvPage({ terminal }: Context, rdv: RdvView, timeZone: string): string {
  const local = localTime(timeZone)
  return fields(terminal, [
    ['Rdv', `${rdv.id}, ${rdv.type}, version ${rdv.version}`],
    ['Statut', rdv.statut],
    ['When', `${local.dayOf(rdv.debut)} ${local.hoursOf(rdv)} (${local.timeZone})`],
    ['Expires', rdv.expire_a],
    ['Poseur', [rdv.poseur, ...rdv.equipiers].map(({ id, nom }) => `${nom} (${id})`).join(', ')],
    ['Client', `${rdv.client.prenom} ${rdv.client.nom} (${rdv.client.id})`],
    ['Case', rdv.sav?.reference ?? null],
    ['Place', placeOf(rdv)],
    ['Access', rdv.lieu?.acces ?? null],
    ['Motif', rdv.motif_annulation],
    ['Result', rdv.resultat],
    ['Report', rdv.compte_rendu],
    ['Notes', rdv.notes],
  ])
}
