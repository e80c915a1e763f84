import { conflict, found } from '../errors.js'
import type { EvidenceEntry } from '../evidence/evidence.js'
import { noLine } from '../evidence/history-chain.js'
import type { StoredFile } from '../files/stored-file.js'
import { sha256Of } from '../node-crypto.js'
import { drawnForCaller, type ReportRenderer } from '../reports/report.js'
import { contentOf } from '../reports/report-content.js'
import type { Reads } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { dayMs, toInstant } from '../time/time.js'
import type { ClosedCase } from './case.js'
import { usualCaseFields } from './case-fields.js'
import type { Cases } from './cases.js'
import { snapshotOf } from './snapshot.js'

export interface SampleReportDeps {
  readonly reads: Reads
  readonly clock: Pick<Clock, 'now'>
  /** Null: no renderer is configured. */
  readonly reportRenderer: ReportRenderer | null
}

/** A sample signature, PNG. */
const scribble = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAUAAAAB4AgMAAAD+oMNNAAAADFBMVEX///8GBga2trZmZmaeCOQ+AAAACXBIWXMAAAsTAAALEwEA' +
    'mpwYAAADo0lEQVRo3u1YO27cMBClJKiQFyp1BJWBK/U+goodcgMoybbpjFRJE+gS6lMaaVK53wukJJJyS19ggZQRPxrOwvouCKQI' +
    'pzFsyU/ze2+GZCxYsGDBggULFizYv7Hdr5NfwGdovOIlAOAVMO8BH3wCFuI7PPoEhAOrDh7xIjixdO8RMBWMZcIjYNWoQnsE7FRB' +
    'oPWGF+uWkbdx5Qcfq4lyrrulEe8uY4zI9UeK4w0SIEcpVmoeV9s7O1Z4IyFXtYatNwMqvK8jtex0sOlmqpQA4jxKPF3ffCvgrsdr' +
    'x7tG/znfqogdwHmcyYZ02UbAbAqP5UYWsv1WB6c8SM2DaL/RQTHFVdM1LNINFV/g8zpBmX7PUiTh5j0Q6/g//Zo0JE6EnVZwXNWD' +
    '04FY3dKAlQJsVpGknR6hNgihAoEX1vGx1+6/Xf/TNA1sG2rAUr2XjX18d13UEqbV07Zh753qrXbQ29e0oGok+cyEGlIGfSANToTX' +
    'qwWnkjyjdShbMARiG/Puha4WH2gZyrkBVDwioC2HEbKYIhSizUg7zUXsZgnEtnQmq2/AVVI/kQeXgDl1x2kHuS2dIWFHspapOlX4' +
    'awpzExIDg8o2kOWMuOCjUmhUDIrPkhKRh5hUR/ZenBPMWtfoT5yGiOfGT4QkdyRW3yh6L7rhCyZn8jiUfC5ip6vggm97jN6Lcj+k' +
    'UCMU9VDy2eUVpcDVQLZ6w8ONLDU/y4Mr+QxRDmTrdICpKYzxuWiuZsX89oxEiV3j9oAGw/6rbTvTTqyaV2DcQIjI9K1pMMwKENki' +
    'GKGLF/SyeMBuJb0eUVangrZstqDocgAkkcjWYpgEdw0lVbWwmeJjSQErUoYYmatovxQxEoWOMdlKUoYM+1jNx6WIE4Ga6QgKiS2v' +
    'LkMp6ARfijjiKKHceZ0DSQimUKV0KWLHvPIdcjAW1d6VgYhfz6pyaWoj84q3e5cGWbtdNHcxZjyWS3sFMk9+bJwAoRt92xPxi+AC' +
    'S2tpWg95+9mQzQ+V9UBHer8HwNJpJjsOH3cqQeqT82cqBRLer173eFq7kXEgzoqrheG8+kDauGNF5SoZw1XS4qf1B9LaHXwK0rvd' +
    'YtImx707mtExfv/nxhOpfHCHR/BxWwAnHPjJqhV2cWV2Ohb5OIonwl0RRNxDxBknML99XC01uc9rFnUUTf3epqV1VXsFLOvu6Bfw' +
    'k9/bOVZ+8XgPZHSJM8+Afovci/SjX8DIcwoZe2LBggULFuz/sb+ND/33zgEfKQAAAABJRU5ErkJggg==',
  'base64',
)
const signature = (): StoredFile => ({ sha256: sha256Of(scribble), media_type: 'image/png', content: scribble })

/** The evidence of an invented close: no record has its hash. */
const preuve = {
  sequence: 1,
  hash_dossier: '0'.repeat(64),
  hash_precedent: '0'.repeat(64),
  hash_entree: '0'.repeat(64),
}

const sampleCase = (account_id: string, now: number): ClosedCase => ({
  id: 1,
  account_id,
  reference: 'SAV-2026-00001',
  client: { id: 1, nom: 'Exemple', prenom: 'Camille' },
  reference_origine: null,
  description: 'La porte du meuble sous évier ne ferme plus, la charnière du bas est cassée.',
  statut: 'clos',
  ...usualCaseFields,
  type_probleme: 'quincaillerie',
  date_creation: toInstant(now - 6 * dayMs),
  date_modification: toInstant(now),
  date_cloture: toInstant(now),
  poseur_assigne: { id: 1, nom: 'Dominique Modèle' },
  photos: [],
  sel_notes: null,
  tete_historique: noLine,
  version: 3,
  resolution: 'Charnière remplacée, porte réglée et fermeture contrôlée avec le client.',
  reserves: ['Joint du plan de travail à reprendre sur dix centimètres.'],
  photo_avant: null,
  photo_apres: null,
  signature_client: signature().sha256,
  survenu_a: null,
  decalage_ms: null,
  vu: null,
  signataire_nom: 'Camille Exemple',
})

/** Draws a report like that of a close, from an invented snapshot. */
export function sampleReports({ reads, clock, reportRenderer }: SampleReportDeps): Pick<Cases, 'sampleReport'> {
  /** Samples that are being drawn, by account. Concurrent callers share one. */
  const underWay = new Map<string, Promise<Uint8Array>>()

  async function draw(account_id: string, renderer: ReportRenderer): Promise<Uint8Array> {
    const account = found(await reads.accounts.find(account_id), 'account', account_id)
    const closed = sampleCase(account_id, clock.now())
    const client = { adresse: '1 rue de l’Exemple, 75001 Paris', telephone: '06 12 34 56 78', lieu: null }
    const snapshot = JSON.parse(
      snapshotOf(closed, { account, client, historique: noLine, held: [], interventions: [], addenda: [] }),
    )
    const files = { ...reads.files, find: async () => signature() }
    const reports = { ...reads.reports, ofCase: async () => [] }
    const entry: EvidenceEntry = {
      ...preuve,
      version: 1,
      account: account_id,
      case_id: 1,
      reference: closed.reference,
      date: closed.date_cloture,
    }
    return renderer.render(await contentOf({ ...reads, files, reports }, entry, snapshot, () => null))
  }

  return {
    async sampleReport(account_id) {
      if (reportRenderer === null) throw conflict('report_not_drawn_here')
      const drawing =
        underWay.get(account_id) ?? draw(account_id, reportRenderer).finally(() => underWay.delete(account_id))
      underWay.set(account_id, drawing)
      const content = await drawnForCaller(drawing)
      return { sha256: sha256Of(content), media_type: 'application/pdf', content }
    },
  }
}
