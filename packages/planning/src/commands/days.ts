import {
  type Column,
  CommandError,
  type CommandOutput,
  type Context,
  chosen,
  exitCodes,
  fields,
  isDate,
  listTable,
  usageError,
  weekOf,
} from '@sav/command/feature'
import type { PoseurView } from '@sav/core'
import type { SavClient } from '@sav/http-node/client'
import type { ListRdvInput, RdvView } from '../appointments/inputs.js'
import { type LocalTime, localTimeOf } from './local-time.js'
import { weekDrawing } from './week-drawing.js'

export interface DaysOptions {
  readonly date?: string
  readonly poseur_id?: number
}

export async function planningWeek(context: Context, { date, poseur_id }: DaysOptions): Promise<CommandOutput> {
  const api = await context.api()
  const local = await localTimeOf(context, api)
  const days = weekOf(asked(date, local))
  const rdvs = await all(api, { du: days[0], au: days.at(-1), poseur_id })
  const poseurs = (await activePoseurs(api)).filter(({ id }) => poseur_id === undefined || id === poseur_id)
  return { json: rdvs, text: weekDrawing(rdvs, { terminal: context.terminal, local, days, poseurs }) }
}

export async function planningDay(context: Context, { date, poseur_id }: DaysOptions): Promise<CommandOutput> {
  const api = await context.api()
  const local = await localTimeOf(context, api)
  const day = asked(date, local)
  const rdvs = await all(api, { du: day, au: day, poseur_id })
  const byPoseur = rdvs.toSorted((a, b) => a.poseur.nom.localeCompare(b.poseur.nom, 'fr') || a.poseur.id - b.poseur.id)
  const columns: Column<RdvView>[] = [
    { field: 'poseur', head: 'POSEUR', cell: ({ poseur }) => `${poseur.nom} (${poseur.id})` },
    { field: 'debut', head: 'TIME', cell: (rdv) => local.hoursOf(rdv), whole: true },
    { field: 'id', head: 'ID', cell: ({ id }) => id, whole: true },
    { field: 'statut', head: 'STATUS', cell: ({ statut }) => statut, whole: true },
    { field: 'type', head: 'TYPE', cell: ({ type }) => type, spare: true },
    { field: 'client', head: 'CLIENT', cell: ({ client }) => `${client.prenom} ${client.nom}`.trim() },
    { field: 'lieu', head: 'PLACE', cell: placeOf },
  ]
  const text = listTable(context, { columns, empty: 'No appointment.' }, byPoseur)
  return { json: chosen(context, rdvs), text: `${day}, times in ${local.timeZone}\n\n${text}` }
}

function asked(date: string | undefined, local: LocalTime): string {
  if (date === undefined) return local.dateOf(new Date().toISOString())
  if (!isDate(date)) throw usageError(`--date ${date}: it must be a day as YYYY-MM-DD.`)
  return date
}

const all = (api: SavClient, filter: ListRdvInput): Promise<RdvView[]> =>
  listOf(api.each('/v1/planning', { query: { ...filter, limite: 200 } }))

async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

/** Empty if the key may not read the directory. */
async function activePoseurs(api: SavClient): Promise<PoseurView[]> {
  const mayNot = (error: unknown) => error instanceof CommandError && error.exitCode === exitCodes.notAllowed
  const found = listOf(api.each('/api/v1/poseurs', { query: { limite: 200 } })).catch((error: unknown) => {
    if (mayNot(error)) return []
    throw error
  })
  return (await found).filter(({ actif }) => actif)
}

const placeOf = ({ lieu }: RdvView) =>
  [lieu?.ligne1, [lieu?.code_postal, lieu?.ville].filter(Boolean).join(' ')].filter(Boolean).join(', ') || null

/** One appointment as a page. */
export function rdvPage({ terminal }: Context, rdv: RdvView, local: LocalTime): string {
  return fields(terminal, [
    ['Rdv', `${rdv.id}, ${rdv.type}, version ${rdv.version}`],
    ['Status', rdv.statut],
    ['When', `${local.dayOfYear(rdv.debut)} ${local.hoursOf(rdv)} (${local.timeZone})`],
    ['Expires', rdv.expire_a],
    ['Poseur', [rdv.poseur, ...rdv.equipiers].map(({ id, nom }) => `${nom} (${id})`).join(', ')],
    ['Client', `${rdv.client.prenom} ${rdv.client.nom} (${rdv.client.id})`.trim()],
    ['Case', rdv.sav?.reference ?? null],
    ['Place', placeOf(rdv)],
    ['Access', rdv.lieu?.acces ?? null],
    ['Reason', rdv.motif_annulation],
    ['Result', rdv.resultat],
    ['Report', rdv.compte_rendu],
    ['Notes', rdv.notes],
  ])
}
