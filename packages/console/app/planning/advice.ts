import { inOurWords } from '../words/service-words.js'

/** What the service notes, and refuses nothing for; without the numbers of people, which nobody here knows them by. */
export const adviceIn = (sentences: readonly string[]): string[] =>
  sentences.map((sentence) => inOurWords(sentence).replace(/ \(\d+\)/, ''))
