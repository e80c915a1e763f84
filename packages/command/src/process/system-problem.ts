import { CommandError, messageOf } from './command-error.js'

/** An error of the operating system, with the path that it is about. */
interface SystemError extends Error {
  readonly code: string
  readonly path?: string
  /** The system call, for example `open`. Node's message ends with it and the path. */
  readonly syscall?: string
}

/** An operating system's error in words for the user; null for any other error. */
export function systemProblem(error: unknown): CommandError | null {
  if (!isSystemError(error)) return null
  const where = error.path ?? 'the given path'
  const refusal = (code: string, message: string) => new CommandError(code, message, { cause: error })
  switch (error.code) {
    case 'ENOENT':
      return refusal('failed', `There is no file or directory ${where}.`)
    case 'EEXIST':
      return refusal('failed', `${where} exists already.`)
    case 'EISDIR':
      return refusal('failed', `${where} is a directory: name a file.`)
    case 'ENOTDIR':
      return refusal('failed', `A part of the path ${where} is a file, not a directory: name another path.`)
    case 'ENOTEMPTY':
      return refusal('failed', `The directory ${where} is not empty.`)
    case 'ELOOP':
      return refusal('failed', `${where} is a link that leads to itself.`)
    case 'ENAMETOOLONG':
      return refusal('failed', `The name ${where} is too long.`)
    case 'ENOSPC':
    case 'EDQUOT':
      return refusal('failed', `The disk is full: ${where} could not be written.`)
    case 'EFBIG':
      return refusal('failed', `${where} would exceed the largest file size allowed here.`)
    case 'EIO':
      return refusal('failed', `The disk failed at ${where}.`)
    case 'EMFILE':
    case 'ENFILE':
      return refusal('failed', 'Too many files are open: raise the limit (ulimit -n).')
    case 'EROFS':
      return refusal('read_only', `Nothing can be written at ${where}: the file system is read-only.`)
    case 'EACCES':
    case 'EPERM':
      return refusal('not_allowed', `Not allowed: this user has no permission for ${where}.`)
    default:
      return refusal('failed', `${where}: ${withoutCode(error)}.`)
  }
}

/** Why a file could not be read, worded as the end of a sentence about the file. */
export function fileProblem(error: unknown): string {
  if (!isSystemError(error)) return messageOf(error)
  if (error.code === 'ENOENT') return 'there is no such file.'
  if (error.code === 'EISDIR') return 'it is a directory: name a file.'
  if (error.code === 'EACCES' || error.code === 'EPERM') return 'this user may not read it.'
  return `${withoutCode(error)}.`
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z0-9]+$/.test(error.code)
}

/** Node's message without code and system call: of `ENOENT: no such file or directory, open 'x'`, the middle part. */
function withoutCode({ message, syscall }: SystemError): string {
  const said = message.replace(/^E[A-Z0-9]+: /, '')
  const end = syscall === undefined ? -1 : said.indexOf(`, ${syscall}`)
  return end === -1 ? said : said.slice(0, end)
}
