import { resolve } from 'node:path'
import { scrubErased } from '@sav/core/adapter'
import * as z from 'zod'
import type { Context, OpenedStore } from '../invocation/context.js'
import { boundedText } from '../process/bounded-file.js'
import { closedAfter } from '../process/closing.js'
import { usageError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { locate, parseDatabase } from '../settings/database-address.js'
import { refuseBesideService } from '../store/copy-refusals.js'
import { asHeld, openToRead } from '../store/database.js'
import { cliActor } from '../store/local-actor.js'
import { openTables, refusePending } from '../store/store.js'
import { confirm } from '../terminal/confirmation.js'
import { counted } from '../terminal/terminal.js'
import { type Erasure, erasuresIn } from './erasures.js'

/** The largest file, in bytes: enough for 200,000 erasures. */
const maxFile = 16 << 20

const erasureList = z.array(z.object({ account: z.string(), id: z.int().positive(), efface_le: z.iso.datetime() }))

/**
 * Reads erasures from a store, or from a file printed by `sav clients erasures --json`. @throws CommandError for
 * anything else
 */
export async function readErasures(context: Context, from: string, flag: string): Promise<Erasure[]> {
  const url = parseDatabase(from)
  return url === undefined ? ofFile(context, from, flag) : ofStore(context, url)
}

async function ofStore({ cwd, settings }: Context, url: string): Promise<Erasure[]> {
  const database = locate(url, { cwd, direct: 'none', tables: settings.database.tables })
  return closedAfter(openTables({ database }, asHeld(openToRead)), async (storage) => {
    await refusePending(storage)
    return await erasuresIn(storage)
  })
}

async function ofFile({ cwd }: Context, name: string, flag: string): Promise<Erasure[]> {
  const text = await boundedText(resolve(cwd, name), { flag, maxBytes: maxFile })
  const parsed = erasureList.safeParse(jsonOf(text))
  if (parsed.success) return parsed.data
  throw usageError(`${flag} ${name}: it is not a list printed by \`sav clients erasures --json\`.`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The outcome of applying erasures to a restored store. */
export interface RepeatedErasures {
  /** Clients that the store still had. */
  readonly erased: number
  /** Clients that the store does not have, because they were added after the moment to which it was restored. */
  readonly unknown: number
}

/** Repeats erasures like `sav restore --erasures`, in a store restored by other means. */
export async function applyErasures(context: Context, from: string, { yes }: { readonly yes?: true }): Promise<Output> {
  const opened = await context.open()
  const listed = await readErasures(context, from, 'FILE|URL')
  const erasures = context.accountGiven ? listed.filter(({ account }) => account === context.account) : listed
  // A running service may already have given these numbers to other clients.
  await refuseBesideService({ ...context.settings.database, storage: opened.storage })
  const question = `Erase the ${counted(erasures.length, 'client')} of ${from} in ${context.settings.database.name}, for good?`
  await confirm(context, { yes, question })
  const repeated = await repeatErasures(opened, erasures)
  return { json: repeated, text: sentenceOnRepeated(repeated) }
}

export function sentenceOnRepeated({ erased, unknown }: RepeatedErasures): string {
  const others =
    unknown === 0 ? '' : ` ${counted(unknown, 'other')} of the list ${unknown === 1 ? 'is' : 'are'} not in this store.`
  return `${counted(erased, 'client')} erased again.${others} Clients who were erased after the list was made may be missing from it.`
}

/** Repeats erasures in a restored store. The secret key is not needed. */
export async function repeatErasures(
  { sav, storage, record }: Pick<OpenedStore, 'sav' | 'storage' | 'record'>,
  erasures: readonly Erasure[],
): Promise<RepeatedErasures> {
  const nameOf = ({ account, id }: Erasure) => `${account} ${id}`
  const wereErased = new Set((await erasuresIn(storage)).map(nameOf))
  // A list combined from several may contain the same erasure twice.
  const each = new Map(erasures.map((erasure) => [nameOf(erasure), erasure]))
  let [erased, unknown] = [0, 0]
  for (const [name, { account, id }] of each) {
    if ((await storage.reads.directory.findClient(account, id)) === null) unknown += 1
    else {
      // Clients that the restored store had already erased are erased again, to remove texts written about them since.
      const { committed: _, ...erasure } = sav.writes.clients.erase(cliActor(account), id)
      await sav.perform(erasure, (tx) => record(tx, { account_id: account, target: `client:${id}` }))
      if (!wereErased.has(name)) erased += 1
    }
  }
  await scrubErased(storage)
  return { erased, unknown }
}
