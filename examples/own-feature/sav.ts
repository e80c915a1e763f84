import { allCommands } from '@sav/all/commands'
import { createCommand } from '@sav/command'
import { tagCommand } from './commands.ts'

await createCommand({ features: [...allCommands, tagCommand] }).main()
