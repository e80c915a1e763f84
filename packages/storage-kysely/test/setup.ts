import { afterAll } from 'vitest'
import { endFile } from './end-of-file.js'

// Runs before each file of tests, also where files share the modules that they import.
afterAll(endFile)
