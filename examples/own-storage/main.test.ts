import { storageContract } from '@sav/storage-contract'
import { memoryStorage } from '@sav/storage-kysely/testing'
import * as vitest from 'vitest'
import { timed } from './main.js'

// Runs some hundred tests of what the port promises.
storageContract({ name: 'timed', open: async () => timed(await memoryStorage(), () => {}), vitest })
