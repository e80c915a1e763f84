import { resolve } from 'node:path'

/** Where a store is. `name` is fit for eyes: it holds no password. */
export type DatabaseAddress =
  | { readonly kind: 'sqlite'; readonly name: string /** Absolute. */; readonly path: string }
  | {
      readonly kind: 'postgres'
      readonly name: string
      readonly url: string
      /** Where to listen; null: nowhere. */
      readonly direct: string | null
    }

/** `sqlite:PATH` or `postgres://…`, as it was written. */
export function parseDatabase(text: string): string | undefined {
  return /^sqlite:(?!:memory:).+$/.test(text) || isPostgres(text) ? text : undefined
}

/** A URL, `none`, or nothing: then it is the database's own. */
export function parseDirect(text: string): string | undefined {
  return text === '' || text === 'none' || isPostgres(text) ? text : undefined
}

/** @param direct what `parseDirect` gave */
export function locate(text: string, { cwd, direct }: { cwd: string; direct: string }): DatabaseAddress {
  if (text.startsWith('sqlite:')) {
    const path = resolve(cwd, text.slice('sqlite:'.length))
    return { kind: 'sqlite', name: path, path }
  }
  return { kind: 'postgres', name: withoutPassword(text), url: text, direct: direct === 'none' ? null : direct || text }
}

const secretOption = /pass|pwd|secret|token|key/i

/** An address without what stands before its host, and without passwords and tokens among its options. */
export function withoutPassword(text: string): string {
  const [host, end] = [text.indexOf('//'), text.lastIndexOf('@')]
  const shown = host === -1 || end < host + 2 ? text : `${text.slice(0, host)}//***${text.slice(end)}`
  return shown.replace(/([?&][^=&?]*=)[^&]*/g, (whole, option) => (secretOption.test(option) ? `${option}***` : whole))
}

function isPostgres(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.parse(text) !== null
}
