import { sentences } from './sentences.js'

/** Why the core refuses something: a name that never changes, for programs to branch on. */
export type RefusalCode = keyof typeof sentences

/** What is refused, each by its code, with the sentence that says it. In braces stand the params. */
export type Sentences = Readonly<Record<string, string>>

type Places<Sentence> = Sentence extends `${string}{${infer Place}}${infer Rest}` ? Place | Places<Rest> : never

/** What a sentence is filled with. */
type ParamsOf<Sentence extends string> = { readonly [place in Places<Sentence>]: string | number }

/** Why something was refused: for programs the code and what is filled in, for people the sentence of both. */
export interface Reason {
  /** Of the core, or of a feature. */
  readonly code: RefusalCode | (string & Record<never, never>)
  readonly params: Readonly<Record<string, string | number>>
  readonly message: string
}

/** The params of a sentence: none if it has no places. */
export type ParamsArgument<Sentence extends string> = keyof ParamsOf<Sentence> extends never
  ? []
  : [params: ParamsOf<Sentence>]

export type ReasonArguments<Code extends RefusalCode> = ParamsArgument<(typeof sentences)[Code]>

/** Why something was refused, with its sentence filled in, by a code of these sentences. */
export const reasonsOf =
  <const S extends Sentences>(sentences: S) =>
  <Code extends keyof S & string>(code: Code, ...[params]: ParamsArgument<S[Code]>): Reason => {
    const given: Reason['params'] = { ...params }
    return { code, params: given, message: filled(sentences[code] ?? '', given) }
  }

/** By a code of the core. */
export const reason = reasonsOf(sentences)

/** A sentence of `sentences` with its places filled in. */
export function filled(sentence: string, params: Reason['params']): string {
  return sentence.replace(/\{(\w+)\}/g, (_, place: string) => String(params[place]))
}

/** The common part of all reasons of a code about one field. */
const bounds: readonly string[] = ['allowed', 'min', 'max']

/** The sentence of all reasons of a code about one field: with its bounds, and `…` for varying ones. */
export const generalOf = (sentence: string, params: Reason['params']): string =>
  filled(
    sentence.replaceAll(/\{(\w+)\}/g, (place, name) => (bounds.includes(name) ? place : '…')),
    params,
  )

/** The same as the message of an issue of zod's, which is a text. */
export const issue = <Code extends RefusalCode>(code: Code, ...params: ReasonArguments<Code>): string =>
  issueOf(reason(code, ...params))

/** The same of a reason that exists already. */
export const issueOf = (why: Reason): string => JSON.stringify(why)

/** What `issue` made its message of; the message of any other issue stays as it is. */
export const reasonOfIssue = (message: string): Reason =>
  message.startsWith('{"code":') ? JSON.parse(message) : reason('invalid', { problem: message })
