import { sentences } from './sentences.js'

/** Why the core refuses something: a permanent name, on which programs can branch. */
export type RefusalCode = keyof typeof sentences

/** The sentence of each refusal, by code. Params are in braces. */
export type Sentences = Readonly<Record<string, string>>

type Places<Sentence> = Sentence extends `${string}{${infer Place}}${infer Rest}` ? Place | Places<Rest> : never

/** The params of a sentence. */
type ParamsOf<Sentence extends string> = { readonly [place in Places<Sentence>]: string | number }

/** Why something was refused: code and params for programs, the sentence for people. */
export interface Reason {
  /** A code of the core, or of a feature. */
  readonly code: RefusalCode | (string & Record<never, never>)
  readonly params: Readonly<Record<string, string | number>>
  readonly message: string
}

/** The params of a sentence: none if it has no braces. */
export type ParamsArgument<Sentence extends string> = keyof ParamsOf<Sentence> extends never
  ? []
  : [params: ParamsOf<Sentence>]

export type ReasonArguments<Code extends RefusalCode> = ParamsArgument<(typeof sentences)[Code]>

/** Returns a function that creates reasons by the codes of these sentences. */
export const reasonsOf =
  <const S extends Sentences>(sentences: S) =>
  <Code extends keyof S & string>(code: Code, ...[params]: ParamsArgument<S[Code]>): Reason => {
    const given: Reason['params'] = { ...params }
    return { code, params: given, message: filled(sentences[code] ?? '', given) }
  }

/** Creates a reason by a code of the core. */
export const reason = reasonsOf(sentences)

/** A sentence with its params filled in. */
export function filled(sentence: string, params: Reason['params']): string {
  return sentence.replace(/\{(\w+)\}/g, (_, place: string) => String(params[place]))
}

/** The params that all reasons of a code about one field have in common. */
const bounds: readonly string[] = ['allowed', 'min', 'max']

/** The sentence for all reasons of a code about one field: with its bounds, and `…` for varying params. */
export const generalOf = (sentence: string, params: Reason['params']): string =>
  filled(
    sentence.replaceAll(/\{(\w+)\}/g, (place, name) => (bounds.includes(name) ? place : '…')),
    params,
  )

/** A reason as the message of a zod issue, which must be a text. */
export const issue = <Code extends RefusalCode>(code: Code, ...params: ReasonArguments<Code>): string =>
  issueOf(reason(code, ...params))

/** The same for an existing reason. */
export const issueOf = (why: Reason): string => JSON.stringify(why)

/** The reason in a message of `issue`; any other message becomes a reason as it is. */
export const reasonOfIssue = (message: string): Reason =>
  message.startsWith('{"code":') ? JSON.parse(message) : reason('invalid', { problem: message })
