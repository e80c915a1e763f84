import type { EventKind } from '@sav/webhook-verify'
import { eventKinds } from '@sav/webhook-verify/events'
import type { Permission } from '../access/permissions.js'

/** A kind of event of the core. */
export type CoreEventKind = Extract<EventKind, `sav.${string}`>

/** The kinds of events of the core, about cases; features declare others. */
export const coreEventKinds = eventKinds.filter((kind): kind is CoreEventKind => kind.startsWith('sav.'))

const subjectOf = (kind: string) => kind.slice(0, kind.indexOf('.') + 1)

/** Subjects of the core; kinds of letters of the core have none. */
const ofCore = new Set(['', 'sav.', 'webhook.'])

/**
 * The permission to read what an event or letter is about. Letters of a feature, such as `rdv.confirmation`, need that
 * of its events.
 * @param declared the kinds of the composed features; kinds of others need `admin`
 */
export function readingPermission(
  declared: Readonly<Record<string, { readonly permission?: Permission }>>,
  kind: string,
): Permission {
  const subject = subjectOf(kind)
  if (ofCore.has(subject)) return 'sav:read'
  const [, found] = Object.entries(declared).find(([each]) => subjectOf(each) === subject) ?? []
  return found === undefined ? 'admin' : (found.permission ?? 'sav:read')
}
