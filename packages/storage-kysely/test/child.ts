import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { openSqlite, type SqliteStorage } from '../src/sqlite.js'

/** What a child process can do with a database file; it ends when its input does. */
export const tasks = {
  /** Prints the names of the migrations that ran. */
  async migrate(file: string) {
    const storage = await openSqlite(file)
    console.log(JSON.stringify(await storage.migrate()))
    await storage.close()
  },

  /** Takes 50 numbers at once, prints them. */
  async takeNumbers(file: string) {
    const storage = await openSqlite(file)
    const taken = Array.from({ length: 50 }, () => storage.transaction((tx) => tx.cases.nextNumber('ours', 2026)))
    console.log(JSON.stringify(await Promise.all(taken)))
    await storage.close()
  },

  /** Until it is killed: takes numbers and keeps each as a fact, 20 at once, and prints those that are committed. */
  async keepNumbers(file: string) {
    const storage = await openSqlite(file)
    const keep = async (): Promise<never> => {
      for (;;) {
        const number = await storage.transaction(async (tx) => {
          const taken = await tx.cases.nextNumber('ours', 2026)
          await tx.setFact(`number ${taken}`, 'kept')
          return taken
        })
        console.log(number)
      }
    }
    await Promise.all(Array.from({ length: 20 }, keep))
  },

  /** Takes names of files from its input; writes to the last one all the time, and prints its name once it does. */
  async writeElsewhere() {
    let writing = Promise.resolve()
    let current = ''
    for await (const file of createInterface(process.stdin)) {
      current = file
      await writing
      const storage = await openSqlite(file)
      await write(storage)
      console.log(file)
      writing = writeOn(storage, () => current === file)
    }
    current = ''
    await writing
  },
}

async function write(storage: SqliteStorage): Promise<void> {
  await storage.transaction(async (tx) => {
    await tx.setFact('elsewhere', String(await tx.cases.nextNumber('elsewhere', 2026)))
  })
}

async function writeOn(storage: SqliteStorage, goOn: () => boolean): Promise<void> {
  while (goOn()) {
    await write(storage)
    await setTimeout(1)
  }
  await storage.close()
}

const [, , task = '', file = ''] = process.argv
const run = Object.entries(tasks).find(([name]) => name === task)?.[1]
await run?.(file)
