import type { AllFeatures } from '../../../all/src/index.js'
import type { Sav } from '../../../core/src/index.js'
import type { ReportRenderer, Storage } from '../../../core/src/ports.js'
import type { Api } from '../../../http-node/src/index.js'
import { secureRandom, systemClock } from '../../../http-node/src/runtime.js'
import { as, composeWith } from '../../../http-node/test/composed.js'
import { tokenOf } from '../../../people/test/people.js'

const description = 'La porte du four racle, en bas à droite, depuis la pose.'
const hour = 3_600_000
const day = 24 * hour

/** An installer with a phone's session. */
export interface Installer {
  readonly poseur_id: number
  readonly person: string
  readonly cookie: string
}

/** A service on a store, with actions of an office. */
export interface Office {
  readonly sav: Sav<AllFeatures>
  readonly api: Api
  readonly actor: ReturnType<typeof as>
  installer(nom: string): Promise<Installer>
  /** Books a visit with its own client and case, at one of 50 times within the days that a phone shows. */
  visit(of: Installer): Promise<Visit>
}

export interface Visit {
  readonly rdv_id: number
  readonly version: number
  readonly sav_id: number
  readonly client_id: number
  /** When the visit begins; two hours later, all installers are free too. */
  readonly debut: string
}

export async function openOffice(
  storage: Storage,
  options: { readonly reportRenderer?: ReportRenderer; readonly publicUrl?: string } = {},
): Promise<Office> {
  const { sav, api } = composeWith({ storage, clock: systemClock, random: secureRandom }, options)
  const actor = as('default')
  await sav.accounts.add(actor, 'default')
  const booked = new Map<number, number>()
  return {
    sav,
    api,
    actor,
    async installer(nom) {
      const { id: poseur_id } = await sav.directory.poseurs.add(actor, { nom })
      const email = `poseur${poseur_id}@petit.example`
      const { id: person } = await sav.users.add(actor, { nom, email, role: 'poseur', poseur_id })
      const token = tokenOf(await sav.users.invite(actor, person))
      const { secret } = await sav.signIns.byInvitation({ token }, { ip: '192.0.2.7', appareil: 'Téléphone' })
      return { poseur_id, person, cookie: `__Host-sav=${secret}` }
    },
    async visit({ poseur_id }) {
      const { id: client_id } = await sav.directory.clients.add(actor, { nom: 'Durand', prenom: 'Alice' })
      const { id: sav_id } = await sav.cases.create(actor, { client_id, description })
      const before = booked.get(poseur_id) ?? 0
      booked.set(poseur_id, before + 1)
      if (before === 50) throw new Error(`installer ${poseur_id} has no time left`)
      const at = Math.ceil(Date.now() / day) * day + (before % 13) * day + (6 + 3 * Math.floor(before / 13)) * hour
      const debut = new Date(at).toISOString()
      const { id, version } = await sav.planning.book(actor, { sav_id, poseur_id, debut, duree_minutes: 60 })
      return { rdv_id: id, version, sav_id, client_id, debut }
    },
  }
}
