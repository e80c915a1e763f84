import { afterAll } from 'vitest'
import { endFile } from './end-of-file.js'

// Runs for each file of tests, even if files share modules.
afterAll(endFile)
