import { allCommands } from '@sav/all/commands'
import type { CommandOptions } from '@sav/command'
import { demoCommands } from './demo/syntax.js'

/** What `sav` adds to the core: every feature, and the command `sav demo`. */
export const whole: CommandOptions = { features: allCommands, commands: [demoCommands] }
