import { CommandError, messageOf } from './command-error.js'

/** An operating system's error with its path, and for a rename or a link the target. */
interface SystemError extends Error {
  readonly code: string
  readonly path?: string
  /** For example `open`, with which the message ends, followed by the path. */
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
      return refusal('failed', `${where} leads through a file: name a path of directories.`)
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

/** Why a file could not be read, as the end of a sentence about it. */
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

/** `ENOENT: no such file or directory, open 'x'` without the code and the call. */
function withoutCode({ message, syscall }: SystemError): string {
  const said = message.replace(/^E[A-Z0-9]+: /, '')
  const end = syscall === undefined ? -1 : said.indexOf(`, ${syscall}`)
  return end === -1 ? said : said.slice(0, end)
}
