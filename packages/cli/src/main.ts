import { type CreatedCommand, createCommand } from '@sav/command'
import { whole } from './features.js'

const command: CreatedCommand = createCommand(whole)

/** Runs the command of this process. */
export const main: CreatedCommand['main'] = command.main

/** Runs one command. */
export const run: CreatedCommand['run'] = command.run
