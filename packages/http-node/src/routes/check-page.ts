import { publicPages } from './public-page.js'

const { page, policy } = publicPages({ forms: false })

export const checkPolicy = policy

const day = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/**
 * What the address on a report shows to whoever holds the paper.
 * @param date when the close was recorded, an instant; null: no close has this fingerprint
 */
export function checkPage(date: string | null): string {
  const [title, text] =
    date === null
      ? [
          'Aucune correspondance',
          "Cette empreinte n'est celle d'aucun rapport enregistré ici. Comparez-la, caractère par caractère, avec celle qui est imprimée sur le document.",
        ]
      : [
          'Empreinte reconnue',
          `Un rapport portant cette empreinte a été enregistré le <time datetime="${date}">${day.format(new Date(date))}</time> (UTC).`,
        ]
  return page(title, `<h1>${title}</h1>\n<p>${text}</p>`)
}
