import { storageContract } from '@sav/storage-contract'
import { memoryStorage } from '@sav/storage-kysely/testing'
import * as vitest from 'vitest'
import { timed } from './main.js'

// Every promise of the port, as some hundred tests.
storageContract({ name: 'timed', open: async () => timed(await memoryStorage(), () => {}), vitest })
