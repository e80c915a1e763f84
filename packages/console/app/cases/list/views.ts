import { signal } from '@preact/signals'
import { changed } from '../../api/changes.js'
import { type SavedView, sav } from '../../api/client.js'
import { question } from '../../api/read.js'
import { base } from '../../session/address.js'

/** The filters that the person has saved, the same in every browser. */
export const savedViews = question(async (_: 'all', signal) => (await sav.get('/api/v1/session/vues', { signal })).data)

let last: Promise<unknown> = Promise.resolve()

/** All are read and written together: the second of two changes begins with what the first one left. */
function inTurn(change: (vues: readonly SavedView[]) => Promise<readonly SavedView[]>): Promise<readonly SavedView[]> {
  const next = last.then(async () => change((await sav.get('/api/v1/session/vues')).data))
  last = next.catch(() => {})
  return next
}

const put = async (vues: readonly SavedView[]) => {
  const { data } = await sav.put('/api/v1/session/vues', { body: { vues: [...vues] } })
  changed()
  return data
}

const withView = (vues: readonly SavedView[], view: SavedView) => [...vues.filter(({ nom }) => nom !== view.nom), view]

/** One of the same name is replaced. @param address of a screen, as it is linked */
export const saveView = (nom: string, address: string): Promise<unknown> =>
  inTurn((vues) => put(withView(vues, { nom, adresse: address.slice(base.length) })))

export const removeView = (nom: string): Promise<unknown> =>
  inTurn((vues) => put(vues.filter((view) => view.nom !== nom)))

/** The API refuses more. */
export const mostViews = 50

const keptColumns = 'sav-hidden-columns'

/** It stands with the client as well: in the list it takes the room of the problem. */
const hiddenAtFirst = '["telephone"]'

function hiddenHere(): string[] {
  const found: unknown = JSON.parse(localStorage.getItem(keptColumns) ?? hiddenAtFirst)
  return Array.isArray(found) ? found.map(String) : []
}

/** Which columns are hidden. It depends on the width of this screen, so this browser keeps it. */
export const hiddenColumns = signal<readonly string[]>(hiddenHere())

export function showColumn(key: string, isShown: boolean): void {
  hiddenColumns.value = isShown ? hiddenColumns.value.filter((each) => each !== key) : [...hiddenColumns.value, key]
  localStorage.setItem(keptColumns, JSON.stringify(hiddenColumns.value))
}
