import { nearest } from '../syntax/nearest.js'

/** A variable that looks like a setting and is none. */
export interface UnknownSetting {
  readonly name: string
  readonly from: 'environment' | '.env'
  /** The setting that was probably meant. */
  readonly likely: string | null
}

/** Read by `sav webhooks listen` alone. */
const elsewhere = ['SAV_WEBHOOK_SECRET', 'SAV_WEBHOOK_SECRET_FILE']

/** The project's own tests have theirs. */
const ofTests = 'SAV_TEST_'

/** @param known names of all settings */
export function unknownSettings(
  { env, dotenv }: Readonly<Record<'env' | 'dotenv', Readonly<Record<string, string | undefined>>>>,
  known: readonly string[],
): UnknownSetting[] {
  const names = [...known, ...elsewhere]
  const isUnknown = (name: string) => name.startsWith('SAV_') && !names.includes(name) && !name.startsWith(ofTests)
  const found = (from: UnknownSetting['from'], variables: typeof env) =>
    Object.keys(variables)
      .filter(isUnknown)
      .map((name) => ({ name, from, likely: nearest(name, names) }))
  return [...found('environment', env), ...found('.env', dotenv)]
}

export function unknownSettingSentence({ name, from, likely }: UnknownSetting): string {
  const where = from === '.env' ? ' in .env' : ''
  return `${name}${where} is no setting${likely === null ? '' : `: did you mean ${likely}?`}${likely === null ? '.' : ''}`
}
