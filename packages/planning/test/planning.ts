import { type OpenSavOptions, openSav } from '../../core/test/open-sav.js'

/** A service on Monday 2026-03-16, 06:00 in Paris, with one endpoint for all events. */
export async function openPlanning(options: OpenSavOptions = {}) {
  const opened = await openSav(options)
  const { sav, clock, actor, client, poseur, worker, posted } = opened
  await clock.advance(Date.UTC(2026, 2, 16, 5) - clock.now())
  await sav.webhooks.endpoints.add(actor, {
    url: 'https://agenda.example/hooks',
    events: [
      'rdv.created',
      'rdv.rescheduled',
      'rdv.confirmed',
      'rdv.cancelled',
      'rdv.completed',
      'sav.assigned',
      'sav.status_changed',
    ],
  })
  const helper = await sav.directory.poseurs.add(actor, { nom: 'Ismaël Roy' })
  const booking = { client_id: client.id, poseur_id: poseur.id, debut: '2026-03-16T09:00:00+01:00', duree_minutes: 120 }
  const addCase = async () => {
    const description = 'Le tiroir à couverts frotte en bas à gauche.'
    return (await sav.cases.create(actor, { client_id: client.id, description, type_probleme: 'reglage' })).id
  }

  /** The number of events that earlier calls of `emitted` returned. */
  let seen = 0
  const emitted = async (): Promise<{ event: string; data: Record<string, unknown> }[]> => {
    worker.start()
    await clock.advance(2_000)
    await worker.stop()
    const bodies = posted.slice(seen).map(({ body }) => JSON.parse(body))
    seen = posted.length
    return bodies
  }
  const kinds = async () => (await emitted()).map(({ event }) => event)
  return { ...opened, helper, booking, addCase, emitted, kinds }
}

/** The error of a refused call. */
export async function refusal(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'it was not refused',
    (error: unknown) => error,
  )
}
