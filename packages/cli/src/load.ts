import { accessSync, constants, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Script } from 'node:vm'

/** What a file of the bundle exports. */
type Exports = Record<string, never>

/** What each file of the bundle is, by rolldown.config.ts. */
type Evaluate = (
  exports: Exports,
  require: (id: string) => unknown,
  importOutside: (id: string) => Promise<unknown>,
  filename: string,
) => void

const folder = import.meta.dirname
/**
 * What V8 has compiled, as Python's `__pycache__`: beside the code, so that who may change the one may change the other.
 * V8 refuses what another V8 or other flags have made.
 */
const cache = `${folder}/compiled/${process.version}-${process.arch}`
const commandsFile = `${cache}/commands`

const loaded = new Map<string, Exports>()
const scripts = new Map<string, Script>()
let isRefused = false
let outside: NodeJS.Require | undefined

/**
 * Loads a file of the bundle. Half of a start would be V8 compiling what it reads, functions at their first call above all.
 * Node's own compile cache keeps none of those: so these files are scripts, and no ES modules.
 */
export function load(name: string): Exports {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const exports: Exports = {}
  loaded.set(name, exports)
  const filename = `${folder}/${name}`
  const source = readFileSync(filename, 'utf8')
  const cachedData = compiledBefore(name)
  const script = new Script(source, { filename, ...(cachedData && { cachedData }) })
  isRefused ||= script.cachedDataRejected === true
  if (isNamedByContents(name)) scripts.set(name, script)
  const evaluate: Evaluate = script.runInThisContext()
  evaluate(exports, requireFromBundle, (id) => import(id), filename)
  return exports
}

function requireFromBundle(id: string): unknown {
  if (id.startsWith('./')) return load(id.slice(2))
  outside ??= createRequire(import.meta.url)
  return outside(id)
}

/** Of a file with a fixed name nothing is kept: V8 would take it for the same one after an upgrade. */
const isNamedByContents = (name: string) => /-[\w-]{8}\.cjs$/.test(name)

const markBytes = 4
/** A disk loses or repeats whole blocks, of 512 bytes or more. To read every word would be a twentieth of a start. */
const markedEachBytes = 64

/** By which a file is known again whose blocks are damaged: V8 checks its length alone, and would crash at every start. */
function markOf(data: Buffer): number {
  let mark = data.length
  for (let at = 0; at + markBytes <= data.length; at += markedEachBytes)
    mark = (Math.imul(mark, 31) + data.readUInt32LE(at)) >>> 0
  return mark
}

function compiledBefore(name: string): Buffer | undefined {
  try {
    if (!isNamedByContents(name)) return undefined
    const kept = readFileSync(`${cache}/${name}`)
    const data = kept.subarray(0, -markBytes)
    if (kept.readUInt32LE(data.length) === markOf(data)) return data
    isRefused = true
    return undefined
  } catch {
    return undefined
  }
}

/**
 * Keeps what V8 has compiled in this run, for the next one: once for each command, which adds its own functions. Where this
 * user may not write, or the disk is full, the next start takes as long as this one.
 */
export function keepCompiled(command: string): void {
  try {
    const commands = isRefused ? [] : commandsKept()
    if (commands.includes(command)) return
    accessSync(folder, constants.W_OK)
    mkdirSync(cache, { recursive: true })
    for (const [name, script] of scripts) write(`${cache}/${name}`, marked(script.createCachedData()))
    write(commandsFile, [...commands, command].join('\n'))
  } catch {}
}

function marked(data: Buffer): Buffer {
  const mark = Buffer.alloc(markBytes)
  mark.writeUInt32LE(markOf(data))
  return Buffer.concat([data, mark])
}

function commandsKept(): string[] {
  try {
    return readFileSync(commandsFile, 'utf8').split('\n')
  } catch {
    return []
  }
}

/** Whole or not at all, also beside another process and after a power cut: V8 trusts what it reads. */
function write(path: string, contents: Buffer | string): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, contents, { flush: true })
  renameSync(draft, path)
}
