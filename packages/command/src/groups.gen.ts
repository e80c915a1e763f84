// Written by scripts/lists.mjs, from the files beside it and below.
import { accessCommands } from './access/syntax.js'
import { backupCommands } from './backup/syntax.js'
import { caseCommands } from './cases/syntax.js'
import { completionCommands } from './completion/syntax.js'
import { directoryCommands } from './directory/syntax.js'
import { evidenceCommands } from './evidence/syntax.js'
import { fileCommands } from './files/syntax.js'
import { installationCommands, upkeepCommands } from './installation/syntax.js'
import { runningCommands, doctorCommands } from './running/syntax.js'
import { webhookCommands } from './webhooks/syntax.js'

/** Every group of commands; program.ts puts them in order. */
export const declared = {
  accessCommands,
  backupCommands,
  caseCommands,
  completionCommands,
  directoryCommands,
  evidenceCommands,
  fileCommands,
  installationCommands,
  upkeepCommands,
  runningCommands,
  doctorCommands,
  webhookCommands,
}
