import { sha256Of } from '../../core/src/node-crypto.js'
import { as, type openSav } from '../../core/test/open-sav.js'

type OpenSav = Awaited<ReturnType<typeof openSav>>

const actor = as('default')
const reach = 'all' as const
const survenu_a = '2026-01-15T10:25:00.000Z'
const resolution = 'Charnière remplacée.'
const content = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const sent = { sha256: sha256Of(content), taille: content.length, debut: 0, content }

/** The arguments of each write from the field; each sample first adds the data that it needs. */
export function fieldSamples(addCase: (opened: OpenSav) => Promise<number>) {
  const caseVisit = async (opened: OpenSav) => {
    const sav_id = await addCase(opened)
    const when = { debut: '2026-02-10T09:00:00+01:00', duree_minutes: 60 }
    const { id } = await opened.sav.planning.book(actor, { sav_id, poseur_id: opened.poseur.id, ...when })
    return { sav_id, rdv_id: id }
  }
  const visit = async (opened: OpenSav) => ({ rdv_id: (await caseVisit(opened)).rdv_id, reach, cle: 'k1' })
  const told =
    <Input>(input: Input) =>
    async (opened: OpenSav) =>
      [actor, await visit(opened), { survenu_a, ...input }] as const
  return {
    receive: async () => [actor, sent] as const,
    began: told({}),
    missed: told({ compte_rendu: 'Volets clos.' }),
    late: told({ minutes: 15 }),
    async done(opened: OpenSav) {
      await opened.sav.field.receive(actor, sent)
      const photos = [{ sha256: sent.sha256, moment: 'apres' as const }]
      const cloture = { resolution, signature: sent.sha256, vu: 'Lu.' }
      return told({ resultat: 'resolu' as const, compte_rendu: resolution, photos, cloture })(opened)
    },
    async comment(opened: OpenSav) {
      const { sav_id } = await caseVisit(opened)
      return [actor, { sav_id, reach, cle: 'k1' }, { texte: 'Prévoir un joint.' }] as const
    },
    async takeBack(opened: OpenSav) {
      const { rdv_id } = await caseVisit(opened)
      await opened.sav.planning.change(actor, rdv_id, { statut: 'absent' })
      return [actor, { rdv_id, reach }, { statut: 'planifie' as const }] as const
    },
    async bookNext(opened: OpenSav) {
      const { sav_id, rdv_id } = await caseVisit(opened)
      const [slot] = await opened.sav.field.slots('default', reach, rdv_id, { duree: 60 })
      return [actor, reach, { jeton: slot?.jeton ?? '', sav_id }] as const
    },
  }
}
