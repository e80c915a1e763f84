import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
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

function compiledBefore(name: string): Buffer | undefined {
  try {
    if (!isNamedByContents(name)) return undefined
    const kept = readApart(`${cache}/${name}`)
    const [data, again] = [kept.subarray(0, kept.length / 2), kept.subarray(kept.length / 2)]
    if (data.equals(again)) return data
    isRefused = true
    return undefined
  } catch {
    return undefined
  }
}

/**
 * Into pages of V8's own, as a buffer gets them that may be resized: where what `malloc` gave is freed, glibc keeps as much for
 * later from then on, of a service 2.5 MB.
 */
function readApart(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const read = Buffer.from(new ArrayBuffer(size, { maxByteLength: size }))
    readSync(file, read)
    return read
  } finally {
    closeSync(file)
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
    for (const [name, script] of scripts) write(`${cache}/${name}`, twice(script.createCachedData()))
    write(commandsFile, [...commands, command].join('\n'))
  } catch {}
}

/**
 * Since a disk may lose blocks: V8 checks the length alone, and would crash at every start. A checksum in JavaScript takes a
 * start 20 times as long as to compare, and gets V8's optimizing compiler to work, which takes 5 MB.
 */
const twice = (data: Buffer) => Buffer.concat([data, data])

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
