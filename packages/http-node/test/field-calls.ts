import { as } from './composed.js'
import type { Service } from './service.js'

/** The path of a call on something that exists; `missing` is the path of something that does not. */
export interface Call {
  readonly path: string
  readonly missing?: string
  readonly status: number
  /** The status for a key without `admin`, if the operation is about what the caller owns. */
  readonly asNobody?: number
}

const actor = as('default')
let days = 0

/** A call on something that an installer owns. A key without `admin` owns nothing. */
const onField =
  (make: (service: Service) => Promise<readonly [path: string, missing?: string]>, status = 200) =>
  async (service: Service): Promise<Call> => {
    const [path, missing] = await make(service)
    return { path, ...(missing !== undefined && { missing }), status, asNobody: 409 }
  }
const aVisit = async ({ sav, poseur_id, client_id }: Service) => {
  days += 1
  const debut = new Date(Date.UTC(2026, 2, 16 + days, 14)).toISOString()
  return (await sav.planning.book(actor, { poseur_id, client_id, debut, duree_minutes: 60 })).id
}
const onVisit = (what: string) =>
  onField(async (service) => [
    `/api/v1/planning/${await aVisit(service)}/${what}`,
    `/api/v1/planning/999999999/${what}`,
  ])
const missingCase = '/api/v1/terrain/dossiers/999999999'

type Make = (service: Service) => Promise<number>

/** Calls of what installers see and do on site. */
export const fieldCalls = ({ aCase, aClosedCase }: { readonly aCase: Make; readonly aClosedCase: Make }) => ({
  getField: onField(async ({ poseur_id }) => [`/api/v1/terrain?poseur_id=${poseur_id}`]),
  getFieldFile: onField(async (service) => {
    const id = await aCase(service)
    const [photo] = (await service.sav.cases.get('default', id)).photos
    const rest = `fichiers/${photo !== undefined && 'sha256' in photo ? photo.sha256 : ''}`
    return [`/api/v1/terrain/dossiers/${id}/${rest}`, `${missingCase}/${rest}`]
  }),
  getFieldReport: onField(async (service) => [
    `/api/v1/terrain/dossiers/${await aClosedCase(service)}/pv`,
    `${missingCase}/pv`,
  ]),
  listFieldSlots: onField(async (service) => [
    `/api/v1/terrain/rdv/${await aVisit(service)}/creneaux?duree=60`,
    '/api/v1/terrain/rdv/999999999/creneaux?duree=60',
  ]),
  beginRdv: onVisit('debut'),
  missRdv: onVisit('absent'),
  delayRdv: onVisit('retard'),
  tellIntervention: onVisit('intervention'),
})
