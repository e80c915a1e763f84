import { DOMParser, type Element } from '@xmldom/xmldom'

/** An answer of the server, read by the names of its elements; missing ones are empty. */
export interface Answer {
  /** The text of the first element of that name. */
  text(name: string): string
  /** Every element of one of these names. */
  all(...names: string[]): Answer[]
}

/** @throws Error for text that is not XML */
export function parseAnswer(xml: string): Answer {
  const parser = new DOMParser({
    onError(level, message) {
      if (level !== 'warning') throw new Error(message)
    },
  })
  const { documentElement } = parser.parseFromString(xml, 'text/xml')
  if (documentElement === null) throw new Error('The answer is empty.')
  return answerIn(documentElement)
}

function answerIn(element: Element): Answer {
  return {
    text: (name) => element.getElementsByTagName(name)[0]?.textContent ?? '',
    all: (...names) => names.flatMap((name) => Array.from(element.getElementsByTagName(name), answerIn)),
  }
}
