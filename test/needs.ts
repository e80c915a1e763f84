import { accessSync, appendFileSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Whether the tool is there that a proof needs, for `runIf`. What is not proved for want of it is named when the run ends.
 * @param proof what is shown with it, as it reads after "not shown: "
 * @param isThere by default whether `tool` is on the PATH
 */
export function needs(tool: string, proof: string, isThere = isOnPath(tool)): boolean {
  if (!isThere) noteMissing(tool, proof)
  return isThere
}

/** Names what is not proved, for a test that finds out only while it runs. */
export function noteMissing(tool: string, proof: string): void {
  const notes = process.env['SAV_TEST_MISSING']
  if (notes !== undefined) appendFileSync(notes, `${tool} is missing, so not shown: ${proof}\n`)
}

function isOnPath(tool: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, tool), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
