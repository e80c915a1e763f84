import type { EventKind } from '@sav/webhook-verify'
import { eventKinds } from '@sav/webhook-verify/events'
import type { Permission } from '../access/permissions.js'

/** A kind of event of the core. */
export type CoreEventKind = Extract<EventKind, `sav.${string}`>

/** The kinds of events of the core, about cases; features declare others. */
export const coreEventKinds = eventKinds.filter((kind): kind is CoreEventKind => kind.startsWith('sav.'))

/** Every kind of event of a service whose features declare these kinds. */
export const kindsWith = (ofFeatures: readonly string[]): string[] => [...coreEventKinds, ...ofFeatures]

/** The subject of a kind: its first word, with the dot. One permission allows reading all events of a subject. */
export const subjectOf = (kind: string): string => kind.slice(0, kind.indexOf('.') + 1)

/** The subjects of the core. Letters of the core have kinds without a dot, so their subject is empty. */
export const coreSubjects: ReadonlySet<string> = new Set(['', 'sav.', 'webhook.'])

/**
 * The permission to read what an event or letter is about. A letter of a feature, such as `rdv.confirmation`, needs the
 * permission of the events with the same first word.
 * @param declared the kinds of the composed features; other kinds need `admin`
 */
export function readingPermission(
  declared: Readonly<Record<string, { readonly permission?: Permission }>>,
  kind: string,
): Permission {
  const subject = subjectOf(kind)
  if (coreSubjects.has(subject)) return 'sav:read'
  const [, found] = Object.entries(declared).find(([each]) => subjectOf(each) === subject) ?? []
  return found === undefined ? 'admin' : (found.permission ?? 'sav:read')
}
