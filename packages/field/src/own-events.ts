import type { StoredEvent } from '@sav/core/ports'
import type { RdvData, SavData } from '@sav/webhook-verify'

type EventBody = { readonly data: RdvData | SavData }

/** Selects the events that concern an installer. */
export type OwnEvents = <Event extends Pick<StoredEvent, 'body'>>(events: readonly Event[]) => Event[]

const isAboutVisit = (data: RdvData | SavData): data is RdvData => 'equipiers' in data

/**
 * The events of the installer's visits, and of the cases of these visits. The event that gives a visit to somebody else
 * is included.
 * @param cases ids of the cases of these visits; the cases of new visits are added
 */
export function ownEvents(poseur_id: number, cases: Set<number>): OwnEvents {
  const isHis = ({ poseur, equipiers, changements }: RdvData) => {
    const others = changements.filter(({ champ }) => champ === 'poseur_id').map((change) => Object(change).ancien)
    return [poseur.id, ...equipiers.map(({ id }) => id), ...others].includes(poseur_id)
  }
  return (events) => {
    const told = events.map((event) => {
      const { data }: EventBody = JSON.parse(event.body)
      return { event, data }
    })
    // Visits first: in the same transaction, an event of a case may come before the visit that adds the case.
    for (const { data } of told) if (isAboutVisit(data) && data.sav !== null && isHis(data)) cases.add(data.sav.id)
    return told.filter(({ data }) => (isAboutVisit(data) ? isHis(data) : cases.has(data.id))).map(({ event }) => event)
  }
}
