import { allCommands } from '@sav/all/commands'
import { createCommand } from '@sav/command'
import { tagCommand } from './commands.js'

await createCommand({ features: [...allCommands, tagCommand] }).main()
