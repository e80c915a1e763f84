import { resolve } from 'node:path'
import * as z from 'zod'
import { type Erasure, erasuresIn } from '../directory/erasures.js'
import { boundedText } from '../evidence/bounded-text.js'
import type { Context } from '../invocation/context.js'
import { closedAfter } from '../process/closing.js'
import { usageError } from '../process/command-error.js'
import { locate, parseDatabase } from '../settings/database-address.js'
import { compose } from '../store/compose.js'
import { openToRead, type StoreStorage } from '../store/database.js'
import { cliActor, commandCall } from '../store/local-actor.js'
import { openTables, refusePending } from '../store/store.js'

/** In bytes: 200,000 erasures. */
const maxFile = 16 << 20

const erasureList = z.array(z.object({ account: z.string(), id: z.int().positive(), efface_le: z.iso.datetime() }))

/** Reads the erasures of a store, or of a file as `sav clients erasures --json` prints it. @throws CommandError for anything else */
export async function readErasures(context: Context, from: string): Promise<Erasure[]> {
  const url = parseDatabase(from)
  return url === undefined ? ofFile(context, from) : ofStore(context, url)
}

async function ofStore({ cwd }: Context, url: string): Promise<Erasure[]> {
  const database = locate(url, { cwd, direct: 'none' })
  return closedAfter(openTables({ database }, openToRead), async (storage) => {
    await refusePending(storage)
    return await erasuresIn(storage)
  })
}

async function ofFile({ cwd }: Context, name: string): Promise<Erasure[]> {
  const text = await boundedText(resolve(cwd, name), { flag: '--erasures', maxBytes: maxFile })
  const parsed = erasureList.safeParse(jsonOf(text))
  if (parsed.success) return parsed.data
  throw usageError(`--erasures ${name}: it is not a list that \`sav clients erasures --json\` printed.`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What became of a list of erasures in a store that was restored. */
export interface RepeatedErasures {
  /** People whom the backup still had. */
  readonly erased: number
  /** Those whom it has not: they came after it. */
  readonly unknown: number
}

/** Erases again who was erased since the backup was made, in a store that is by itself; nothing of it needs the secret key. */
export async function repeatErasures(
  { settings }: Pick<Context, 'settings'>,
  storage: StoreStorage,
  erasures: readonly Erasure[],
): Promise<RepeatedErasures> {
  const sav = compose(
    { ...settings, files: null },
    { storage, secretKey: new Uint8Array(32), findSecretKey: () => undefined },
  )
  const [before, startedAt] = [await erasuresIn(storage), Date.now()]
  const nameOf = ({ account, id }: Erasure) => `${account} ${id}`
  const wereErased = new Set(before.map(nameOf))
  // Lists that somebody has put together say some of them twice.
  const each = new Map(erasures.map((erasure) => [nameOf(erasure), erasure]))
  let [erased, unknown] = [0, 0]
  for (const [name, { account, id }] of each) {
    if ((await storage.reads.directory.findClient(account, id)) === null) unknown += 1
    else {
      // Also clients who were erased before the backup: what was written about them since goes.
      await sav.perform(sav.writes.clients.erase(cliActor(account), id), (tx) =>
        sav.audit.record(tx, commandCall(account, { command: 'sav restore', startedAt, target: `client:${id}` })),
      )
      if (!wereErased.has(name)) erased += 1
    }
  }
  return { erased, unknown }
}
