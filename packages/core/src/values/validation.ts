import * as z from 'zod'
import { type FieldProblem, fieldProblem, ValidationError } from '../errors.js'
import { issue, issueOf, type Reason, reason, reasonOfIssue } from '../refusals/reason.js'
import { type Lazy, lazily } from './lazily.js'

/** The parsed input, or one ValidationError that names every bad field. */
export function parse<S extends z.ZodType>(schema: Lazy<S>, input: unknown): z.output<S> {
  return settle(schema().safeParse(input, options), [])
}

/**
 * Like `parse`, also for schemas that read files. Problems that only the store knows are listed beside those of the
 * schema.
 * @param lookUps each gets the original input, and returns its problem or null
 */
export async function parseWith<S extends z.ZodType>(
  schema: Lazy<S>,
  input: unknown,
  ...lookUps: readonly ((input: unknown) => Promise<FieldProblem | null>)[]
): Promise<z.output<S>> {
  const problems: FieldProblem[] = []
  for (const lookUp of lookUps) {
    const problem = await lookUp(input)
    if (problem !== null) problems.push(problem)
  }
  return settle(await schema().safeParseAsync(input, options), problems)
}

// Without its input, an issue cannot distinguish a missing value from one of a wrong type.
const options = { reportInput: true }

function settle<T>(result: z.ZodSafeParseResult<T>, problems: readonly FieldProblem[]): T {
  if (result.success && problems.length === 0) return result.data
  throw new ValidationError([...(result.success ? [] : problemsIn(result.error)), ...problems])
}

/** Files of one array are read in parallel, but their problems are listed in the array's order. */
function byIndex(a: z.core.$ZodIssue, b: z.core.$ZodIssue): number {
  const [field, index] = a.path
  const [otherField, otherIndex] = b.path
  return field === otherField && typeof index === 'number' && typeof otherIndex === 'number' ? index - otherIndex : 0
}

/** The most problems in an answer. More would not help, and each repeats a name from the input. */
const maxProblems = 100

/** The longest part of an input that an answer repeats, in UTF-16 units. */
const maxRepeated = 200

/** The same for a value that should be one of a list. */
const maxRepeatedWord = 60

/** The text as sent, or its beginning. */
const repeated = (sent: string, max = maxRepeated) =>
  sent.length <= max ? sent : `${sent.slice(0, max - 1).toWellFormed()}…`

/** The sent value, for a refusal. */
export function foundIn(input: unknown): string {
  if (input === undefined || input === '') return 'nothing'
  if (typeof input === 'object' && input !== null) return Array.isArray(input) ? 'a list' : 'an object'
  return repeated(String(input), maxRepeatedWord)
}

/** For a value that is not allowed: the allowed ones, and the sent one. */
export const notAmong = (allowed: readonly unknown[], input: unknown): Reason =>
  reason('not_among', { allowed: allowed.map(String).join(', '), found: foundIn(input) })

/** One of a few whole numbers. */
export const integerAmong = (allowed: readonly number[]) =>
  z.int().refine((value) => allowed.includes(value), { error: ({ input }) => issueOf(notAmong(allowed, input)) })

/** The problems of an input, field by field; empty if there are none. */
export function problemsOf(schema: Lazy<z.ZodType>, input: unknown): readonly FieldProblem[] {
  const { error } = schema().safeParse(input, options)
  return error === undefined ? [] : problemsIn(error)
}

/** Each bad field once, with its first problem. */
export function problemsIn(error: z.ZodError): FieldProblem[] {
  const problems = new Map<string, FieldProblem>()
  for (const issue of error.issues.toSorted(byIndex)) {
    const found =
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => fieldProblem(fieldName([...issue.path, key]), 'unknown_field'))
        : [{ field: fieldName(issue.path), ...reasonOf(issue) }]
    for (const problem of found) if (!problems.has(problem.field)) problems.set(problem.field, problem)
  }
  return [...problems.values()].slice(0, maxProblems)
}

/** The name of a field: `photos[3]`, `client.nom`. The whole body is `body`. */
function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'body'
  const parts = path.map((part, index) =>
    typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
  )
  return repeated(parts.join(''))
}

function reasonOf(issue: z.core.$ZodIssue): Reason {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return reason('required')
      if (issue.expected === 'int') return reason('not_an_integer')
      return reason('wrong_type', { expected: articled(issue.expected) })
    case 'invalid_value':
      return notAmong(issue.values, issue.input)
    case 'invalid_key':
      return issue.issues[0] === undefined ? reason('unknown_field') : reasonOf(issue.issues[0])
    case 'too_big': {
      const max = Number(issue.maximum)
      if (issue.origin === 'array') return reason('too_many_items', { max })
      return issue.origin === 'string' ? reason('string_too_long', { max }) : reason('too_large', { max })
    }
    case 'too_small': {
      const min = Number(issue.minimum)
      if (issue.origin === 'array') return reason('too_few_items', { min })
      return min === 0 && issue.inclusive === false ? reason('not_positive') : reason('too_small', { min })
    }
    default:
      return reasonOfIssue(issue.message)
  }
}

function articled(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

interface TextBounds {
  readonly min?: number
  readonly max: number
  /** The kind of text, for the code of a refusal. */
  readonly of?: 'text' | 'description'
}

/**
 * Text of one line, such as a name: without control characters, so that no output format shows it as two lines. `min`
 * to `max` characters, counted as Unicode code points after trimming.
 */
export const line = (bounds: TextBounds) =>
  trimmed(bounds, (value) => textProblem(value, bounds) ?? (isOneLine(value) ? null : reason('not_one_line')))

/**
 * Text of any number of lines: `min` to `max` characters, counted as Unicode code points after trimming. NUL and lone
 * surrogates are refused: not every database and receiver can represent them.
 */
export const text = (bounds: TextBounds) => trimmed(bounds, (value) => textProblem(value, bounds))

function trimmed({ min = 0, max }: TextBounds, problemOf: (value: string) => Reason | null) {
  return z
    .string()
    .transform((value, context) => {
      const kept = value.trim()
      const problem = problemOf(kept)
      if (problem !== null) context.addIssue({ code: 'custom', message: issueOf(problem) })
      return kept
    })
    .register(z.globalRegistry, { minLength: min, maxLength: max })
}

/** The separators of lines and paragraphs (U+2028, U+2029) end a line but are not control characters. */
const isOneLine = (value: string) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)

function textProblem(value: string, { min = 0, max, of = 'text' }: TextBounds): Reason | null {
  const outside = (found: number | string) => {
    if (min === 0) return reason('text_too_long', { max, found })
    if (of === 'text') return reason('text_length', { min, max, found })
    const isShort = typeof found === 'number' && found < min
    return reason(isShort ? 'description_too_short' : 'description_too_long', { min, max, found })
  }
  // A text of megabytes is refused before its characters are counted: counting 8 MiB takes 50 ms.
  if (value.length > 10 * max) return outside(`more than ${5 * max - 1}`)
  if (!value.isWellFormed()) return reason('lone_surrogate')
  if (value.includes('\0')) return reason('nul_character')
  const length = codePoints(value)
  return length >= min && length <= max ? null : outside(length)
}

function codePoints(value: string): number {
  let count = 0
  for (const _ of value) count += 1
  return count
}

/** One line, for further checks. */
export const oneLine = lazily(() => z.string().refine(isOneLine, { message: issue('not_one_line'), abort: true }))

/**
 * One line of at most `max` UTF-16 units, for checks by regular expressions, which may run out of stack on a longer
 * one.
 */
export const shortText = (max: number) => oneLine().max(max, { abort: true })

/** `claire@société.fr` as mail servers know it: `claire@xn--socit-esab.fr` (RFC 5891). */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  if (!/[^\0-\x7f]/.test(domain) || /[^\p{L}\p{M}\p{N}.-]/u.test(domain)) return address
  return address.slice(0, at) + (URL.parse(`http://${domain}`)?.hostname ?? domain)
}

/** `#rrggbb`. */
export const colour = () => z.string().regex(/^#[0-9a-f]{6}$/i, issue('not_a_colour'))

/**
 * At most 254 characters, 64 of them before the @ (RFC 5321 §4.5.3.1), without spaces around it. The domain may be
 * internationalised.
 */
export const emailAddress = lazily(() =>
  z
    .string()
    .trim()
    .refine(isOneLine, { message: issue('not_one_line'), abort: true })
    .max(254, { abort: true })
    .overwrite(withAsciiDomain)
    .max(254, { abort: true })
    .check(z.email(issue('not_an_email')))
    .regex(/^[^@]{1,64}@/, issue('email_local_part_too_long')),
)

/**
 * The address of a service: an http or https URL without credentials, query or fragment. A trailing slash is removed.
 */
export const publicUrl = lazily(() =>
  shortText(300)
    .refine((value) => {
      const parsed = URL.parse(value)
      return parsed !== null && /^https?:$/.test(parsed.protocol) && isPlainAddress(parsed, value)
    }, issue('url_not_plain'))
    .transform((value) => value.replace(/\/{1,9}$/, '')),
)

/** Whether a URL has only host and path, so that paths can be appended. */
const isPlainAddress = ({ username, password }: URL, value: string) =>
  username === '' && password === '' && !/[?#\s\\]/.test(value)

/** A search text: words of letters and digits, and anything between them. */
export const searched = lazily(() =>
  line({ min: 1, max: 200 }).refine((value) => /[\p{L}\p{N}]/u.test(value), {
    message: issue('nothing_to_search'),
  }),
)

/** The name or id of something that may not exist: an endpoint, a kind of event, a key. */
export const nameOrId = lazily(() => shortText(100))

/** An id that a store could have assigned: 1 … 2^53 − 1. */
export const id = lazily(() => z.int().positive())

/** A part used at a visit. */
export const pieceUsed = lazily(() =>
  z.strictObject({
    designation: line({ min: 1, max: 200 }),
    quantite: z.int().min(1).max(10_000).describe('How many pieces.'),
    reference: line({ min: 1, max: 100 }).nullable().default(null),
  }),
)

/** How long a secret overlaps with its successor, in seconds: a day by default, at most a week. */
export const overlap = (meaning: string) =>
  z
    .int()
    .min(0)
    .max(7 * 86_400)
    .default(86_400)
    .describe(meaning)

/** A day of the business calendar: `2026-01-15`. */
export const calendarDate = lazily(() =>
  z.iso.date({ error: issue('not_a_date') }).refine((date) => !date.startsWith('0000'), issue('no_year_zero')),
)

/** An instant with `Z` or an offset, kept as written. */
export const writtenInstant = lazily(() =>
  shortText(40).check(z.iso.datetime({ offset: true, error: issue('not_an_instant'), abort: true })),
)

/** A day of the business calendar, or an ISO 8601 instant with its offset; the calendar's `instantOf` reads it. */
export const dateOrInstant = lazily(() =>
  z.union([calendarDate(), writtenInstant()], {
    error: issue('not_a_date_or_instant'),
  }),
)
