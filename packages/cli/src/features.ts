import { allCommands } from '@sav/all/commands'
import type { CommandOptions } from '@sav/command'
import { demoCommands } from './demo/syntax.js'

/** What `sav` has besides the core: every feature, and invented data. */
export const whole: CommandOptions = { features: allCommands, commands: [demoCommands] }
