import {
  DamagedFileError,
  type FieldProblem,
  type RefusalKind,
  SavError,
  SlotTakenError,
  UnavailableError,
  ValidationError,
} from '@sav/core'
import { filled, sentences } from '@sav/core/adapter'
import { CommandError, type NamedProblem } from './command-error.js'
import { type ExitCode, exitCodes } from './outcome.js'
import { systemProblem } from './system-problem.js'

/** A failure, for a person and for a script. */
export interface Failure {
  readonly exitCode: ExitCode
  /** A code that never changes, for scripts. */
  readonly code: string
  readonly message: string
  readonly details?: readonly NamedProblem[] | undefined
  /** Further fields of the JSON that scripts read. */
  readonly more?: Readonly<Record<string, unknown>> | undefined
}

/** The words that the message of a failure needs: what the command accepts, and its features' sentences. */
export interface CommandWords {
  /**
   * The arguments and options of the command, such as `<url>` and `--limite`, so that a message can name the one that
   * the user typed.
   */
  readonly taken: readonly string[]
  /** The sentences of features' refusals, by code. */
  readonly ofFeatures: Readonly<Record<string, string>>
}

export function failureOf(error: unknown, words: CommandWords = { taken: [], ofFeatures: {} }): Failure {
  if (error instanceof CommandError) return error
  if (error instanceof ValidationError) {
    const message = error.details.map((problem) => sentenceOf(problem, words)).join('\n')
    return { exitCode: exitCodes.usage, code: error.code, message, details: error.details }
  }
  if (error instanceof SlotTakenError) {
    const { conflit, alternatives } = error
    return { exitCode: exitCodes.failed, code: error.code, message: error.message, more: { conflit, alternatives } }
  }
  if (error instanceof SavError) {
    // A damaged store does not recover by itself, so its exit code differs from that of an unavailable one.
    const isDamage = error instanceof UnavailableError && error.damaged
    return { exitCode: isDamage ? exitCodes.failed : exitCodeOf(error.kind), code: error.code, message: error.message }
  }
  if (error instanceof DamagedFileError)
    return { exitCode: exitCodes.failed, code: 'damaged_file', message: error.message }
  const problem = systemProblem(error)
  if (problem !== null) return problem
  const found = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { exitCode: exitCodes.failed, code: 'internal', message: `A fault of sav itself: ${found}` }
}

function exitCodeOf(kind: RefusalKind): ExitCode {
  switch (kind) {
    case 'validation_failed':
      return exitCodes.usage
    case 'not_found':
    case 'case_not_found':
      return exitCodes.notFound
    case 'unavailable':
    case 'too_many_waiting':
      return exitCodes.unavailable
    case 'case_already_closed':
    case 'conflict':
    case 'slot_taken':
    case 'version_mismatch':
    case 'idempotency_mismatch':
    case 'idempotency_in_progress':
    case 'answer_erased':
    case 'sign_in_refused':
      return exitCodes.failed
  }
}

/** Options spelled differently from their field. */
const flags: Readonly<Record<string, string>> = {
  id: '<name>',
  canal: '--mail',
  duree_minutes: '--duree',
  limite: '--limit',
  key_id: '--key',
  user_id: '--user',
  nom: '--name',
  expire: '--expires',
  ips: '--allow-ip',
  photos: '--photo',
  reserves: '--reserve',
  signature_client: '--signature',
  endpoint_id: '--endpoint',
  headers: '--header',
  chevauchement_secondes: '--overlap',
  url: '--receiver',
  competences: '--set',
  motif_annulation: '--motif',
}

/** Sentences for the command line, where the remedy differs from that for callers of the API. */
const remedies: Partial<Record<FieldProblem['code'], string>> = {
  duration_or_end_required: 'required',
  url_not_https: 'must be an https URL. For local development, set SAV_WEBHOOK_ALLOW_LOCAL=1 here and for `sav serve`',
  url_not_public:
    'must be a public address. For local development, set SAV_WEBHOOK_ALLOW_LOCAL=1 here and for `sav serve`; for a receiver in a private network, list its addresses in SAV_WEBHOOK_ALLOW_CIDRS',
}

/**
 * Names of fields in a sentence of the core. The names without an underscore are listed because none is an English
 * word.
 */
const fieldNamed = /(?<![{\w])(?:[a-z]+(?:_[a-z0-9]+)+|debut|fin|du|lat|lon|jeton)\b/g

const sentenceOf = (problem: FieldProblem, words: CommandWords): string =>
  `${wordOf(problem.field, words.taken)}: ${remedies[problem.code] ?? messageOf(problem, words)}`

/** The message of a problem, with each field name replaced by the option that fills the field. */
function messageOf({ field, code, params, message }: FieldProblem, { taken, ofFeatures }: CommandWords): string {
  const known: Readonly<Record<string, string>> = { ...sentences, ...ofFeatures }
  if (code === 'too_large' && field.endsWith('_secondes')) return `must be at most ${Number(params['max']) / 86_400}d`
  const sentence: string | undefined = known[code]
  // A service of another release may word the message differently; then it is shown as it is.
  if (sentence === undefined || filled(sentence, params) !== message) return message
  return filled(
    sentence.replaceAll(fieldNamed, (name) => wordOf(name, taken)),
    params,
  )
}

function wordOf(field: string, taken: readonly string[]): string {
  const [name = '', rest = ''] = field.split(/(?=[.[])(.*)/s)
  if (taken.includes(`<${name}>`)) return `<${name}>`
  const alike = `--${name.replaceAll('_', '-')}`
  if (taken.includes(alike)) return `${alike}${rest}`
  // `--ligne1` fills `lieu.ligne1`, and `--retour-ligne1` fills `lieu_retour.ligne1`.
  const ofPlace = `--${field.replace(/^lieu[._]/, '').replaceAll(/[._]/g, '-')}`
  if (taken.includes(ofPlace)) return ofPlace
  const other = flags[name]
  if (other === undefined || !taken.includes(other)) return field
  // For a header, `rest` is a dot and the header's name.
  return rest.startsWith('.') ? `${other} ${rest.slice(1)}` : other
}
