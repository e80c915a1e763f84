import { storageContract } from '@sav/storage-contract'
import { memoryStorage } from '@sav/storage-kysely/testing'
import * as vitest from 'vitest'
import { timed } from './main.js'

// Some hundred tests of the port's promises.
storageContract({ name: 'timed', open: async () => timed(await memoryStorage(), () => {}), vitest })
