import { copyFile } from 'node:fs/promises'

/** Creates an empty, migrated store in `file`. It is a copy, since migrating takes long. */
export async function migratedFile(file: string): Promise<string> {
  await copyFile(process.env['SAV_TEST_TEMPLATE_FILE'] ?? '', file)
  return file
}
