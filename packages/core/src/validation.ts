import * as z from 'zod'
import { type FieldProblem, ValidationError } from './errors.js'

/** The parsed input, or one ValidationError that names every bad field. */
export function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  return settle(schema.safeParse(input, options), [])
}

/**
 * Like `parse`, also for schemas that look into files, with problems that only the store knows named beside those of the schema.
 * @param lookUps each gets the input as it came, and tells its problem or null
 */
export async function parseWith<S extends z.ZodType>(
  schema: S,
  input: unknown,
  ...lookUps: readonly ((input: unknown) => Promise<FieldProblem | null>)[]
): Promise<z.output<S>> {
  const problems: FieldProblem[] = []
  for (const lookUp of lookUps) {
    const problem = await lookUp(input)
    if (problem !== null) problems.push(problem)
  }
  return settle(await schema.safeParseAsync(input, options), problems)
}

// Without its input an issue cannot tell what is absent from what is of a wrong type.
const options = { reportInput: true }

function settle<T>(result: z.ZodSafeParseResult<T>, problems: readonly FieldProblem[]): T {
  if (result.success && problems.length === 0) return result.data
  throw new ValidationError([...(result.success ? [] : problemsOf(result.error)), ...problems])
}

/** Files of one array are looked into side by side: their problems come in the order of the array all the same. */
function byIndex(a: z.core.$ZodIssue, b: z.core.$ZodIssue): number {
  const [field, index] = a.path
  const [otherField, otherIndex] = b.path
  return field === otherField && typeof index === 'number' && typeof otherIndex === 'number' ? index - otherIndex : 0
}

/** More of them help nobody, and each repeats a name that was sent. */
const maxProblems = 100

/** The longest part of what was sent that an answer repeats, in UTF-16 units. */
const maxRepeated = 200

/** As it was sent, or its beginning. */
const repeated = (sent: string) =>
  sent.length <= maxRepeated ? sent : `${sent.slice(0, maxRepeated - 1).toWellFormed()}…`

/** One problem a field, the first that was found. */
function problemsOf(error: z.ZodError): FieldProblem[] {
  const problems = new Map<string, FieldProblem>()
  for (const issue of error.issues.toSorted(byIndex)) {
    const found =
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({ field: fieldName([...issue.path, key]), message: 'unknown field' }))
        : [{ field: fieldName(issue.path), message: messageOf(issue) }]
    for (const problem of found) if (!problems.has(problem.field)) problems.set(problem.field, problem)
  }
  return [...problems.values()].slice(0, maxProblems)
}

/** `photos[3]`, `client.nom`; the whole body is `body`. */
function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'body'
  const parts = path.map((part, index) =>
    typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
  )
  return repeated(parts.join(''))
}

function messageOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'required' : `must be ${articled(issue.expected)}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'invalid_key':
      return issue.issues[0]?.message ?? issue.message
    case 'too_big':
      if (issue.origin === 'array') return `at most ${issue.maximum} items`
      if (issue.origin === 'string') return `at most ${issue.maximum} characters`
      return `must be at most ${issue.maximum}`
    case 'too_small':
      if (issue.origin === 'array') return `at least ${issue.minimum} items`
      return issue.minimum === 0 && issue.inclusive === false
        ? 'must be a positive integer'
        : `must be at least ${issue.minimum}`
    default:
      return issue.message
  }
}

function articled(type: string): string {
  if (type === 'int') return 'an integer'
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

interface Lengths {
  readonly min?: number
  readonly max: number
}

/**
 * Text of one line, such as a name: without control characters, so that no format that it is written to takes it for two
 * lines. `min` to `max` characters, counted as Unicode code points after trimming.
 */
export const line = ({ min = 0, max }: Lengths) =>
  trimmed({ min, max }, (value) => textProblem(value, min, max) ?? (isOneLine(value) ? undefined : notOneLine))

/**
 * Text of any number of lines: `min` to `max` characters, counted as Unicode code points after trimming. NUL and lone
 * surrogates are refused: no database and no UTF-8 receiver keeps them.
 */
export const text = ({ min = 0, max }: Lengths) => trimmed({ min, max }, (value) => textProblem(value, min, max))

function trimmed({ min, max }: Required<Lengths>, problemOf: (value: string) => string | undefined) {
  return z
    .string()
    .transform((value, context) => {
      const kept = value.trim()
      const problem = problemOf(kept)
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
      return kept
    })
    .register(z.globalRegistry, { minLength: min, maxLength: max })
}

/** The separators of lines and paragraphs (U+2028, U+2029) end a line without being control characters. */
const isOneLine = (value: string) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)
const notOneLine = 'must be one line, without control characters'

function textProblem(value: string, min: number, max: number): string | undefined {
  // Of megabytes nobody needs to know how many characters they are: to count 8 MiB takes 50 ms.
  if (value.length > 10 * max) return outside(min, max, `more than ${5 * max - 1}`)
  if (!value.isWellFormed()) return 'must be well-formed Unicode (found a lone surrogate)'
  if (value.includes('\0')) return 'must not contain the NUL character'
  const length = codePoints(value)
  return length >= min && length <= max ? undefined : outside(min, max, length)
}

function outside(min: number, max: number, length: number | string): string {
  return min === 0
    ? `at most ${max} characters (found ${length})`
    : `must be ${min} to ${max} characters (found ${length})`
}

function codePoints(value: string): number {
  let count = 0
  for (const _ of value) count += 1
  return count
}

/** One line, for the checks that follow. */
export const oneLine = z.string().refine(isOneLine, { message: notOneLine, abort: true })

/** One line of at most `max` UTF-16 units, for checks by expressions, which may run out of stack on a longer one. */
export const shortText = (max: number) => oneLine.max(max, { abort: true })

/** At most 254 characters, 64 of them before the @ (RFC 5321 §4.5.3.1). */
export const emailAddress = shortText(254)
  .check(z.email('must be an e-mail address'))
  .regex(/^[^@]{1,64}@/, 'must have at most 64 characters before the @')

/** Where people reach a service: an http or https URL without credentials, query or fragment; parsed without the slash at its end. */
export const publicUrl = shortText(300)
  .refine((value) => {
    const parsed = URL.parse(value)
    return parsed !== null && /^https?:$/.test(parsed.protocol) && isPlainAddress(parsed, value)
  }, 'must be an http or https URL without user, query or fragment')
  .transform((value) => value.replace(/\/+$/, ''))

/** Nothing but host and path: what is appended to it has to arrive. */
const isPlainAddress = ({ username, password }: URL, value: string) =>
  username === '' && password === '' && !/[?#\s\\]/.test(value)

/** What is searched for: words of letters and digits, and whatever stands between them. */
export const searched = line({ min: 1, max: 200 }).refine((value) => /[\p{L}\p{N}]/u.test(value), {
  message: 'must hold a letter or a digit',
})

/** What names something that the store may hold, or not: an endpoint, a kind of event, a key. */
export const nameOrId = shortText(100)

/** An id that a store could have given: 1 … 2^53 − 1. */
export const id = z.int().positive()

/** A day of the business calendar: `2026-01-15`. */
export const calendarDate = z.iso
  .date({ error: 'must be a date as YYYY-MM-DD' })
  .refine((date) => !date.startsWith('0000'), 'there is no year 0000')

/** A day of the business calendar, or an ISO 8601 instant with its offset; the calendar's `instantOf` reads it. */
export const dateOrInstant = z.union([calendarDate, shortText(40).check(z.iso.datetime({ offset: true }))], {
  error: 'must be a date as YYYY-MM-DD or an ISO 8601 instant with its offset',
})
