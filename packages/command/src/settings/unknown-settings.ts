import { nearest } from '../syntax/nearest.js'
import type { SettingsFile } from './settings-file.js'

/** A variable that looks like a setting, but is not one. */
export interface UnknownSetting {
  readonly name: string
  /** The name of the file in which it was found; null for the environment. */
  readonly file: string | null
  /** The setting that was probably meant; null if none is similar. */
  readonly likely: string | null
}

/** Variables that are not declared as settings, because only some `sav webhooks` commands read them. */
const elsewhere = ['SAV_WEBHOOK_SECRET', 'SAV_WEBHOOK_SECRET_FILE']

/** The prefix of variables of the project's own tests. */
const ofTests = 'SAV_TEST_'

/** @param known the names of all settings */
export function unknownSettings(
  { env, file }: { readonly env: Readonly<Record<string, string | undefined>>; readonly file: SettingsFile | null },
  known: readonly string[],
): UnknownSetting[] {
  const names = [...known, ...elsewhere]
  const isUnknown = (name: string) => name.startsWith('SAV_') && !names.includes(name) && !name.startsWith(ofTests)
  const found = (file: UnknownSetting['file'], variables: typeof env) =>
    Object.keys(variables)
      .filter(isUnknown)
      .map((name) => ({ name, file, likely: nearest(name, names) }))
  return [...found(null, env), ...(file === null ? [] : found(file.name, file.variables))]
}

export function unknownSettingSentence({ name, file, likely }: UnknownSetting): string {
  const where = file === null ? '' : ` in ${file}`
  return `${name}${where} is not a setting${likely === null ? '.' : `: did you mean ${likely}?`}`
}
