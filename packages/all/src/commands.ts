import { fieldCommand } from '@sav/field/commands'
import { insightCommand } from '@sav/insight/commands'
import { movingCommand } from '@sav/moving/commands'
import { peopleCommand } from '@sav/people/commands'
import { planningCommand } from '@sav/planning/commands'

/** The commands of every feature, for `createCommand`. */
export const allCommands = [peopleCommand, planningCommand, fieldCommand, insightCommand, movingCommand] as const
