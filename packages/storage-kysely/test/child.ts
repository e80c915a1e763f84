import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import type { Storage } from '@sav/core/ports'
import { openPostgres, openSqlite } from '../../../test/whole/opening.js'
import type { PostgresOptions } from '../src/postgres.js'
import type { SqliteOptions } from '../src/sqlite.js'
import { operations } from './operations.js'

/** `place`: a file or a URL. */
const open = (place: string, options: PostgresOptions & SqliteOptions = {}) =>
  place.startsWith('postgres:') ? openPostgres(place, options) : openSqlite(place, options)

/** What a child process can do with a store. It ends when its input does. */
export const tasks = {
  /** Prints the names of the migrations that ran. */
  async migrate(file: string) {
    const storage = await open(file)
    console.log(JSON.stringify(await storage.migrate()))
    await storage.close()
  },

  /** Takes 50 numbers at once, and prints them. */
  async takeNumbers(file: string) {
    const storage = await open(file)
    const taken = Array.from({ length: 50 }, () => storage.transaction((tx) => tx.cases.nextNumber('ours', 2026)))
    console.log(JSON.stringify(await Promise.all(taken)))
    await storage.close()
  },

  /** Awaits each operation of a new store, with nothing else to keep the process alive, and prints its name. */
  async awaitEach(place: string) {
    const told = (name: string) => console.log(name)
    if (place.startsWith('postgres:')) await doEach(operations.postgres, await openPostgres(place), told)
    else await doEach(operations.sqlite, await openSqlite(place), told)
  },

  /**
   * Takes 20 numbers at once, again and again until it is killed. It keeps each as a fact, and prints each committed
   * one.
   */
  async keepNumbers(file: string) {
    const storage = await open(file)
    const keep = async (): Promise<never> => {
      for (;;) {
        const number = await storage.transaction(async (tx) => {
          const taken = await tx.cases.nextNumber('ours', 2026)
          await tx.facts.set(`number ${taken}`, 'kept')
          return taken
        })
        console.log(number)
      }
    }
    await Promise.all(Array.from({ length: 20 }, keep))
  },

  /**
   * Reads stores (place and options) from its input, and writes to the latest one all the time. It prints a store once
   * it has begun to write to it.
   */
  async writeElsewhere() {
    let writing = Promise.resolve()
    let told = 0
    for await (const line of createInterface(process.stdin)) {
      told += 1
      const mine = told
      await writing
      const [place, options] = JSON.parse(line)
      const storage = await open(place, options)
      await write(storage)
      console.log(line)
      writing = writeOn(storage, () => told === mine)
    }
    told += 1
    await writing
  },
}

async function doEach<T>(
  operations: Readonly<Record<string, (storage: T) => Promise<unknown>>>,
  storage: T,
  told: (name: string) => void,
): Promise<void> {
  for (const [name, operation] of Object.entries(operations)) {
    await operation(storage)
    told(name)
  }
}

async function write(storage: Storage): Promise<void> {
  await storage.transaction(async (tx) => {
    await tx.facts.set('elsewhere', String(await tx.cases.nextNumber('elsewhere', 2026)))
  })
}

async function writeOn(storage: Storage, goOn: () => boolean): Promise<void> {
  while (goOn()) {
    await write(storage)
    await setTimeout(1)
  }
  await storage.close()
}

const [, , task = '', file = ''] = process.argv
const run = Object.entries(tasks).find(([name]) => name === task)?.[1]
await run?.(file)
