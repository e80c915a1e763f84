import { formatReference } from '../../cases/reference.js'
import type { Agenda, PlanningReads, PlanningWrites, RdvFilter } from '../../planning/planning-store.js'
import { type NewRdv, occupies, overlaps, personsOf, type Rdv } from '../../planning/rdv.js'
import { by, ownedBy, pageOf } from './rows.js'
import { keyOf, type Tables } from './tables.js'

const byTime = by<Rdv>(
  ({ debut }) => debut,
  ({ id }) => id,
)

const rdvTable = (tables: Tables) => tables.own<number, Rdv>('rdv')
const agendaTable = (tables: Tables) => tables.own<string, Agenda>('agendas')

/** With the names that everybody has now. */
function named(tables: Tables, row: Rdv): Rdv {
  const { account_id } = row
  const client = ownedBy(account_id, tables.clients.get(row.client.id))
  const dossier = row.sav === null ? undefined : ownedBy(account_id, tables.cases.get(row.sav.id))
  const person = ({ id }: { readonly id: number }) => {
    const poseur = ownedBy(account_id, tables.poseurs.get(id))
    if (poseur === undefined) throw new Error(`Rdv ${row.id} has no poseur ${id} in its account.`)
    return { id, nom: poseur.nom }
  }
  if (client === undefined) throw new Error(`Rdv ${row.id} has no client ${row.client.id} in its account.`)
  return {
    ...row,
    client: { id: client.id, nom: client.nom, prenom: client.prenom },
    lieu_client: client.lieu,
    telephone_client: client.telephone,
    sav: dossier === undefined ? null : { id: dossier.id, reference: formatReference(dossier) },
    poseur: person(row.poseur),
    equipiers: row.equipiers.map(person),
  }
}

function matches(rdv: Rdv, { from, until, poseur_id, client_id, sav_id, statut, type }: RdvFilter): boolean {
  if (rdv.debut < from || rdv.debut >= until) return false
  if (poseur_id !== undefined && !personsOf(rdv).includes(poseur_id)) return false
  if (client_id !== undefined && rdv.client.id !== client_id) return false
  if (sav_id !== undefined && rdv.sav?.id !== sav_id) return false
  return (statut === undefined || rdv.statut === statut) && (type === undefined || rdv.type === type)
}

function planningReads(tables: Tables): PlanningReads {
  const rdvs = rdvTable(tables)
  const where = (account_id: string, holds: (rdv: Rdv) => boolean) =>
    rdvs
      .where((rdv) => rdv.account_id === account_id && holds(rdv))
      .sort(byTime)
      .map((rdv) => named(tables, rdv))
  return {
    async find(account_id, id) {
      const row = ownedBy(account_id, rdvs.get(id))
      return row === undefined ? null : named(tables, row)
    },
    async list(account_id, filter, page) {
      const found = where(account_id, (rdv) => matches(rdv, filter))
      return { items: pageOf(found, page), total: found.length }
    },
    overlapping: async (account_id, poseur_ids, interval) =>
      where(
        account_id,
        (rdv) => occupies(rdv) && overlaps(rdv, interval) && personsOf(rdv).some((id) => poseur_ids.includes(id)),
      ),
    comingOfPoseur: async (account_id, poseur_id, from, limit) =>
      where(account_id, (rdv) => occupies(rdv) && rdv.debut >= from && personsOf(rdv).includes(poseur_id)).slice(
        0,
        limit,
      ),
    comingOfCase: async (account_id, sav_id, from) =>
      where(account_id, (rdv) => occupies(rdv) && rdv.debut >= from && rdv.sav?.id === sav_id),
    ofClient: async (account_id, client_id) =>
      where(account_id, (rdv) => rdv.client.id === client_id).sort(by(({ id }) => id)),
    dueLetters: async (now, limit) =>
      rdvs
        .where(({ lettre_due }) => lettre_due !== null && lettre_due <= now)
        .sort(
          by(
            ({ lettre_due }) => lettre_due ?? '',
            ({ id }) => id,
          ),
        )
        .slice(0, limit)
        .map(({ account_id, id }) => ({ account_id, id })),
    expiredHolds: async (now, limit) =>
      rdvs
        .where(({ expire_a }) => expire_a !== null && expire_a <= now)
        .sort(
          by(
            ({ expire_a }) => expire_a ?? '',
            ({ id }) => id,
          ),
        )
        .slice(0, limit)
        .map(({ account_id, id }) => ({ account_id, id })),
    agenda: async (account_id, poseur_id) => agendaTable(tables).get(keyOf(account_id, poseur_id)) ?? null,
  }
}

export function memoryPlanning(tables: Tables): PlanningWrites {
  const rdvs = rdvTable(tables)
  const reads = planningReads(tables)

  /** @throws when somebody would be at two places */
  function refuseOverlaps(written: readonly Rdv[]): void {
    for (const rdv of written.filter(occupies)) {
      const persons = personsOf(rdv)
      const [other] = rdvs.where(
        (row) =>
          row.id !== rdv.id && occupies(row) && overlaps(row, rdv) && personsOf(row).some((id) => persons.includes(id)),
      )
      if (other !== undefined) throw new Error(`Rdv ${rdv.id} and ${other.id} take somebody at one time.`)
    }
  }

  return {
    ...reads,
    lock: reads.find,
    async add(rdv: NewRdv) {
      const added: Rdv = { ...rdv, id: tables.nextNumber('rdv') }
      named(tables, added)
      refuseOverlaps([added])
      rdvs.put(added.id, added)
      return added.id
    },
    async update(changed) {
      const own = changed.flatMap((rdv) => {
        const row = ownedBy(rdv.account_id, rdvs.get(rdv.id))
        return row === undefined ? [] : [{ ...rdv, sav: row.sav, client: row.client }]
      })
      for (const rdv of own) rdvs.put(rdv.id, rdv)
      refuseOverlaps(own)
    },
    async putAgenda(account_id, poseur_id, agenda) {
      agendaTable(tables).put(keyOf(account_id, poseur_id), agenda)
    },
  }
}
