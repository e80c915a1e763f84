import { escapedHtml, type OnSiteTime, type PrintedCheck } from '@sav/core/adapter'
import { publicPages } from './public-page.js'

const style = `
p.langue { text-align: right; font-size: .9375rem; }
h1, li { --encre: #1a6b3f; --fond: #1f7a4d1f; }
h1.reserve, li.reserve { --encre: #8a4b08; --fond: #c977001f; }
@media (prefers-color-scheme: dark) {
  h1, li { --encre: #7fd6a4; }
  h1.reserve, li.reserve { --encre: #f0b35e; }
}
h1 { color: var(--encre); }
h2 { font-size: 1.125rem; }
ul { list-style: none; padding: 0; }
li { margin: .5rem 0; padding: .6rem .9rem .6rem 2.4rem; border-radius: .5rem; background: var(--fond); position: relative; }
li::before { content: '✓'; position: absolute; left: .9rem; color: var(--encre); font-weight: 700; }
li.reserve::before { content: '!'; }
code { display: grid; grid-template-columns: repeat(auto-fill, minmax(5.5em, 1fr)); gap: .1em .9em; font: 1rem/1.6 ui-monospace, monospace; }
`

const { page, policy } = publicPages({ style, forms: false })

export const checkPolicy = policy

/** The language of a public page. */
export type Language = 'fr' | 'en'

const words = {
  fr: {
    locale: 'fr-FR',
    other: { language: 'en', name: 'English' },
    known: 'Empreinte reconnue',
    recorded: (date: string) => `Un rapport portant cette empreinte a été enregistré le ${date}.`,
    onSite: (date: string) => ` L’intervention a été close sur place le ${date}.`,
    clock: {
      ahead: (by: string) => `L’horloge du téléphone avançait de ${by}\u00a0: l’heure sur place en est corrigée.`,
      behind: (by: string) => `L’horloge du téléphone retardait de ${by}\u00a0: l’heure sur place en est corrigée.`,
      unbelieved: (date: string) =>
        `Le téléphone dit que l’intervention a été close le ${date}, ce qui ne se peut pas\u00a0: c’est l’enregistrement qui compte.`,
    },
    compare: 'Comparez-la avec celle qui est imprimée sur le document\u00a0:',
    checked: 'Ce qui a été vérifié',
    dossier: {
      conforme: 'Ce qui a été consigné à la clôture n’a pas changé\u00a0: il a toujours cette empreinte.',
      efface: 'Le contenu du dossier a été effacé à la demande du client\u00a0; son empreinte est restée.',
      altere: 'Ce qui a été consigné à la clôture n’a plus cette empreinte, ou n’est plus là.',
    },
    linked: 'L’empreinte tient à sa place dans la chaîne des clôtures, qui scelle chacune par la suivante.',
    unlinked: 'L’empreinte ne tient pas à sa place dans la chaîne des clôtures.',
    latest: 'C’est le dernier rapport de ce dossier.',
    replaced: (date: string) => `Un rapport plus récent, du ${date}, remplace celui-ci.`,
    unknown: 'Aucune correspondance',
    unknownText:
      'Cette empreinte n’est celle d’aucun rapport enregistré ici. Comparez-la, caractère par caractère, avec celle qui est imprimée sur le document.',
  },
  en: {
    locale: 'en-GB',
    other: { language: 'fr', name: 'Français' },
    known: 'Fingerprint recognised',
    recorded: (date: string) => `A report with this fingerprint was recorded on ${date}.`,
    onSite: (date: string) => ` The work was closed on site on ${date}.`,
    clock: {
      ahead: (by: string) => `The phone’s clock was ${by} ahead; the time on site has been corrected.`,
      behind: (by: string) => `The phone’s clock was ${by} behind; the time on site has been corrected.`,
      unbelieved: (date: string) =>
        `According to the phone, the work was closed on ${date}. That is impossible, so the time of recording counts.`,
    },
    compare: 'Compare this fingerprint with the one that is printed on the document:',
    checked: 'What was checked',
    dossier: {
      conforme: 'What was recorded at the close has not changed: it still has this fingerprint.',
      efface: 'The contents of the file were erased at the customer’s request; the fingerprint remains.',
      altere: 'What was recorded at the close no longer has this fingerprint, or is gone.',
    },
    linked: 'The fingerprint is in its place in the chain of closed files, in which each file seals the previous one.',
    unlinked: 'The fingerprint is not in its place in the chain of closed files.',
    latest: 'This is the latest report of the file.',
    replaced: (date: string) => `A later report, of ${date}, replaces this one.`,
    unknown: 'No match',
    unknownText:
      'No report that was recorded here has this fingerprint. Compare it, character by character, with the one that is printed on the document.',
  },
} as const

/** The page behind the QR code of a report. @param found null: no close has this hash */
export function checkPage(found: PrintedCheck | null, language: Language): string {
  const said = words[language]
  const { other } = said
  const link = `<p class="langue"><a href="?langue=${other.language}" hreflang="${other.language}" lang="${other.language}">${other.name}</a></p>`
  const [title, main] =
    found === null
      ? [said.unknown, `<h1 class="reserve">${said.unknown}</h1>\n<p>${said.unknownText}</p>`]
      : [said.known, known(found, language)]
  return page(title, `${link}\n${main}`, language)
}

function known(found: PrintedCheck, language: Language): string {
  const said = words[language]
  const { hash_sha256, date, fuseau, dossier, chaine, remplace_le, sur_place } = found
  const time = (instant: string) => {
    const format = new Intl.DateTimeFormat(said.locale, { dateStyle: 'long', timeStyle: 'short', timeZone: fuseau })
    return `<time datetime="${instant}">${format.format(new Date(instant))}</time> (${escapedHtml(fuseau)})`
  }
  const checks = [
    { holds: dossier === 'conforme', text: said.dossier[dossier] },
    { holds: chaine, text: chaine ? said.linked : said.unlinked },
    { holds: remplace_le === null, text: remplace_le === null ? said.latest : said.replaced(time(remplace_le)) },
  ]
  const clock = sur_place && clockSaid(sur_place, said, time)
  const marked = (holds: boolean) => (holds ? '' : ' class="reserve"')
  const groups = (hash_sha256.match(/.{8}/g) ?? []).map((group) => `<span>${group}</span>`)
  return `<h1${marked(checks.every(({ holds }) => holds))}>${said.known}</h1>
<p>${said.recorded(time(date))}${sur_place?.cru ? said.onSite(time(sur_place.survenu_a)) : ''}</p>
<p>${said.compare}</p>
<code>${groups.join(' ')}</code>
<h2>${said.checked}</h2>
<ul>
${[...checks, ...(clock === null ? [] : [{ holds: false, text: clock }])]
  .map(({ holds, text }) => `<li${marked(holds)}>${text}</li>`)
  .join('\n')}
</ul>`
}

const minute = 60_000
/** If a phone's clock differs by more than this, the page mentions it. */
const toldMs = 10 * minute

/** The remark about the phone's clock; null: none. */
function clockSaid(
  { survenu_a, cru, decalage_ms }: OnSiteTime,
  { locale, clock }: (typeof words)[Language],
  time: (instant: string) => string,
): string | null {
  if (!cru) return clock.unbelieved(time(survenu_a))
  const by = Math.abs(decalage_ms)
  if (by <= toldMs) return null
  return decalage_ms > 0 ? clock.ahead(lasting(by, locale)) : clock.behind(lasting(by, locale))
}

/** A duration, in the largest unit that gives at least 2. */
function lasting(ms: number, locale: string): string {
  const units = [
    ['day', 1440 * minute],
    ['hour', 60 * minute],
  ] as const
  const [unit, length] = units.find(([, each]) => ms >= 2 * each) ?? (['minute', minute] as const)
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 }).format(
    Math.floor(ms / length),
  )
}
