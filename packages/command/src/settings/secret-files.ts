import { resolve } from 'node:path'
import { settingBytes } from '../process/bounded-file.js'
import { usageError } from '../process/command-error.js'
import { fileProblem } from '../process/system-problem.js'
import { declaredSettings, type SettingKey } from './declared-settings.js'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * The variable that names a file with the value of a setting, such as `SAV_API_KEY_FILE`; null for a setting without a
 * secret.
 */
export function fileVariableOf(key: SettingKey): string | null {
  const { name, holds } = declaredSettings[key].variable
  // The file of the secret key has its own setting, `secretKeyFile`, because it may contain several keys.
  return holds === 'nothing secret' || key === 'secretKey' ? null : `${name}_FILE`
}

/**
 * The value of a variable, or the content of the file that `NAME_FILE` names; null if neither is set.
 * @throws CommandError if both are set, or the file cannot be read or is empty
 */
export function fromVariableOrFile(
  name: string,
  fileVariable: string | null,
  { variables, cwd }: { readonly variables: Variables; readonly cwd: string },
): { readonly value: string; readonly by: string } | null {
  const value = variables[name] ?? ''
  const file = (fileVariable !== null && variables[fileVariable]) || ''
  if (fileVariable === null || file === '') return value === '' ? null : { value, by: name }
  const refuse = (message: string) => usageError(`${fileVariable}: ${message}`)
  if (value !== '') throw refuse(`is set together with ${name}: give one of them`)
  const path = resolve(cwd, file)
  let text: string
  try {
    text = settingBytes(path).toString().trim()
  } catch (error) {
    throw refuse(`${path}: ${fileProblem(error)}`)
  }
  if (text === '') throw refuse(`${path} is empty`)
  return { value: text, by: fileVariable }
}
