import type { StoreStorage } from '../store/database.js'
import { oneLine } from '../terminal/terminal.js'
import type { Findings } from './findings.js'

/** Addresses of calendars from before they ended with the right of who made them: a warning for each that leads somewhere. */
export async function examineCalendars({ warnings }: Findings, storage: StoreStorage): Promise<void> {
  for (const { id: account_id } of await storage.reads.accounts.list()) {
    for (const { poseur_id, proprietaire } of await storage.reads.calendars.list(account_id)) {
      if (proprietaire.type !== 'anterieur') continue
      const poseur = poseur_id === null ? null : await storage.reads.directory.findPoseur(account_id, poseur_id)
      // The calendar of somebody who has left leads nowhere.
      if (poseur !== null && poseur.inactif_depuis !== null) continue
      const whose = poseur === null ? 'the whole calendar' : `the calendar of ${oneLine(poseur.nom)}`
      const words = ['sav planning ics', poseur_id, account_id === 'default' ? null : `--account ${account_id}`]
      warnings.push(
        `An address of ${whose} (account ${account_id}) was made by an earlier release, and does not end with a key or a person: \`${words.filter((word) => word !== null).join(' ')}\` makes a new one in its place.`,
      )
    }
  }
}
