/**
 * A shop's export from Dolibarr with the faults of real files: Windows-1252 with 0x96 dashes, repeated e-mail
 * addresses, dates like 03/04/2024, empty lines, and an extra column.
 */
export function dolibarrShop({
  tiers,
  tickets,
  interventions,
}: Readonly<Record<'tiers' | 'tickets' | 'interventions', number>>) {
  const day = (n: number, year: number) =>
    `${String(1 + (n % 28)).padStart(2, '0')}/${String(1 + (n % 12)).padStart(2, '0')}/${year}`
  const file = (head: string, count: number, row: (n: number) => string) => {
    const lines = [head]
    for (let n = 1; n <= count; n += 1) lines.push(row(n), ...(n % 97 === 0 ? [';;;;', ''] : []))
    return windows1252(`${lines.join('\r\n')}\r\n`)
  }
  const towns = ['Lyon', 'Givors', 'Écully', 'Saint-Étienne', 'Tassin']
  const subjects = ['Porte de meuble bas', 'Tiroir qui frotte', 'Joint de plan de travail', 'Façade écaillée', 'Four']
  return {
    'tiers.csv': file(
      'Id;Nom;Client;Code client;Adresse;Code postal;Ville;Téléphone;Email;Colonne en trop',
      tiers,
      (n) => {
        const mail = n % 50 === 0 ? 'famille@example.com' : `client${n}@example.com`
        return `${n};Client ${n} – ${n % 3 === 0 ? 'SARL' : 'Zoé'};1;CU${n};${n} rue de l’Été;69${String(n % 1000).padStart(3, '0')};${towns[n % 5]};04 78 ${n};${mail};x`
      },
    ),
    'tickets.csv': file(
      'ID technique;Réf.;Tiers;Sujet;Message;Sévérité;État;Date création;Date de clôture;Résolution',
      tickets,
      (n) => {
        const closed = n % 3 !== 0
        const end = closed
          ? `8;${day(n, 2023)} 09:12;${day(n, 2024)};"Réglé – essais faits, rien à ""signaler"""`
          : `3;${day(n, 2025)};;`
        return `${n};TK${n};${1 + (n % tiers)};${subjects[n % 5]};Le client n° ${n} rappelle – à traiter.;${['NORMAL', 'LOW', 'HIGH'][n % 3]};${end}`
      },
    ),
    'interventions.csv': file(
      'Id tiers;Nom du tiers;Id ligne;Date ligne intervention;Desc. ligne intervention',
      interventions,
      (n) => `${1 + (n % tiers)};Client;${n};${day(n, 2024)} 14:00;Passage – porte réglée.`,
    ),
  }
}

/** Characters of Windows-1252 that Latin-1 lacks. */
const others: Readonly<Record<string, number>> = { '–': 0x96, '’': 0x92 }

const windows1252 = (text: string) => Buffer.from([...text].map((char) => others[char] ?? char.charCodeAt(0)))
