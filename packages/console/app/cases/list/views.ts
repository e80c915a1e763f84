import { signal } from '@preact/signals'
import { changed } from '../../api/changes.js'
import { type SavedView, sav } from '../../api/client.js'
import { question } from '../../api/read.js'
import { base } from '../../session/address.js'

/** The user's saved filters, the same in every browser. */
export const savedViews = question(async (_: 'all', signal) => (await sav.get('/api/v1/session/vues', { signal })).data)

let last: Promise<unknown> = Promise.resolve()

/** Changes the saved views one change at a time, because all views are read and written together. */
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

/** Saves a view, replacing one with the same name. @param address of a screen, as in links */
export const saveView = (nom: string, address: string): Promise<unknown> =>
  inTurn((vues) => put(withView(vues, { nom, adresse: address.slice(base.length) })))

export const removeView = (nom: string): Promise<unknown> =>
  inTurn((vues) => put(vues.filter((view) => view.nom !== nom)))

/** The API refuses more views than this. */
export const mostViews = 50

const keptColumns = 'sav-hidden-columns'

/**
 * By default, the telephone number is hidden: the client's page shows it, and the column of the problem needs the
 * space.
 */
const hiddenAtFirst = '["telephone"]'

function hiddenHere(): string[] {
  const found: unknown = JSON.parse(localStorage.getItem(keptColumns) ?? hiddenAtFirst)
  return Array.isArray(found) ? found.map(String) : []
}

/** The hidden columns. The choice depends on the width of this screen, so it is stored in this browser. */
export const hiddenColumns = signal<readonly string[]>(hiddenHere())

export function showColumn(key: string, isShown: boolean): void {
  hiddenColumns.value = isShown ? hiddenColumns.value.filter((each) => each !== key) : [...hiddenColumns.value, key]
  localStorage.setItem(keptColumns, JSON.stringify(hiddenColumns.value))
}
