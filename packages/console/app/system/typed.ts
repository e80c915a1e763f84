import { personHere } from '../session/session.js'

/** The texts of a form, by the names of their fields. */
export type FormTexts = readonly (readonly [name: string, text: string])[]

/** Where the texts of a form are kept until they are sent. */
export interface TypedStore {
  /** Null: nothing is kept. */
  read(): FormTexts | null
  write(typed: FormTexts): void
  forget(): void
}

/** Keeps the texts of a form in this tab, for the signed-in user. They survive a reload and an expired session. */
export function inThisTab(form: string): TypedStore {
  const key = `draft:${personHere()}/${form}`
  return {
    read: () => JSON.parse(sessionStorage.getItem(key) ?? 'null'),
    write: (typed) => sessionStorage.setItem(key, JSON.stringify(typed)),
    forget: () => sessionStorage.removeItem(key),
  }
}
