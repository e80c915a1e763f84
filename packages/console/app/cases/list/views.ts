import { signal } from '@preact/signals'

/** A filter of the list that somebody wants back, in this browser. */
export interface SavedView {
  readonly name: string
  readonly address: string
}

const keptViews = 'sav-views'
const keptColumns = 'sav-hidden-columns'

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' && value !== null && 'name' in value && 'address' in value

function read(key: string): unknown[] {
  const found: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
  return Array.isArray(found) ? found : []
}

export const views = signal<readonly SavedView[]>(read(keptViews).filter(isView))
export const hiddenColumns = signal<readonly string[]>(read(keptColumns).map(String))

/** One of the same name is replaced. */
export function saveView(view: SavedView): void {
  views.value = [...views.value.filter(({ name }) => name !== view.name), view]
  localStorage.setItem(keptViews, JSON.stringify(views.value))
}

export function removeView(name: string): void {
  views.value = views.value.filter((view) => view.name !== name)
  localStorage.setItem(keptViews, JSON.stringify(views.value))
}

export function showColumn(key: string, isShown: boolean): void {
  hiddenColumns.value = isShown ? hiddenColumns.value.filter((each) => each !== key) : [...hiddenColumns.value, key]
  localStorage.setItem(keptColumns, JSON.stringify(hiddenColumns.value))
}
