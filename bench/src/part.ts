// The entry of a child process: calls one exported function and reports its result (see processes.ts).
import { once } from 'node:events'

const [, , module = '', name = ''] = process.argv

process.once('disconnect', () => process.exit())
const [options] = await once(process, 'message')
const part = await import(module)
const value: unknown = await part[name](JSON.parse(options))
process.send?.(JSON.stringify(value ?? null))
