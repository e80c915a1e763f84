import type { RdvPageView } from '@sav/core/internal'
import { escaped, publicPages } from './public-page.js'

const style = `
p.avis { padding: .75rem 1rem; border-radius: .5rem; background: #1f7a4d1f; }
p.quand { font-size: 1.25rem; }
p.quand::first-letter { text-transform: uppercase; }
form, details { margin: 1.25rem 0; }
button { font: inherit; padding: .6rem 1rem; border: 1px solid #17507a; border-radius: .5rem; background: #17507a; color: #fff; cursor: pointer; }
button.autre { display: block; width: 100%; margin: .5rem 0; text-align: left; background: transparent; color: inherit; }
button:focus-visible, input:focus-visible, textarea:focus-visible, summary:focus-visible { outline: 3px solid #4b9bd6; outline-offset: 2px; }
label { display: block; margin-bottom: .35rem; }
input, textarea { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem; margin-bottom: .6rem; }
h2 { font-size: 1.125rem; margin-top: 2rem; }
`

const { page, policy } = publicPages({ style, forms: true })

export const rdvPagePolicy = policy

/** What became of a form, by the word that the address says it with. */
export const notices = {
  confirme: 'Merci, votre rendez-vous est confirmé.',
  deplace: 'C’est noté : votre rendez-vous est déplacé et confirmé.',
  annule: 'Votre rendez-vous est annulé.',
  acces: 'Merci, votre code d’accès est transmis.',
  change: 'Ce rendez-vous vient de changer. Vérifiez-le avant de répondre.',
  pris: 'Ce créneau vient d’être pris, ou n’est plus proposé. En voici d’autres.',
  tard: 'Il est trop tard pour le changer ici.',
  invalide: 'Cette réponse n’a pas pu être comprise. Merci de réessayer.',
} as const
export type Notice = keyof typeof notices

const isNotice = (text: string | null): text is Notice => text !== null && Object.hasOwn(notices, text)

export const missingRdvPage = (): string =>
  page(
    'Page introuvable',
    '<h1>Page introuvable</h1>\n<p>Ce lien n’est plus valable, ou n’a pas été recopié en entier. Le plus récent de nos messages contient le bon.</p>',
  )

/** @param notice as the address says it; anything else than one of ours is ignored */
export function rdvPage(view: RdvPageView, notice: string | null): string {
  const { statut, societe, confirmable, changeable } = view
  const title = titles[statut]
  const parts = [
    isNotice(notice) ? `<p class="avis" role="status">${notices[notice]}</p>` : '',
    `<h1>${title}</h1>`,
    `<p class="quand">${escaped(timeOf(view))}</p>`,
    `<p>${[escaped(societe.nom), view.lieu === null ? '' : escaped(view.lieu), `Intervenant : ${escaped(view.poseur)}`].filter(Boolean).join('<br>')}</p>`,
    confirmable ? form(view, 'confirmer', '<button>Confirmer ce rendez-vous</button>') : '',
    changeable ? otherTimes(view) : '',
    statut === 'annule' ? '' : accessForm,
    changeable ? cancelForm(view) : '',
    `<h2>Une question ?</h2>\n<p>${contact(view)}</p>`,
  ]
  return page(`${title} – ${societe.nom}`, parts.filter(Boolean).join('\n'))
}

const titles: Readonly<Record<RdvPageView['statut'], string>> = {
  planifie: 'Votre rendez-vous',
  confirme: 'Votre rendez-vous est confirmé',
  en_cours: 'Votre rendez-vous est en cours',
  annule: 'Rendez-vous annulé',
}

/** `mercredi 18 mars 2026 à 09:30`, or between when and when. */
function timeOf({
  fuseau,
  fenetre_client,
  debut,
  fin,
}: Pick<RdvPageView, 'fuseau' | 'fenetre_client' | 'debut' | 'fin'>) {
  const day = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'full', timeZone: fuseau })
  const clock = new Intl.DateTimeFormat('fr-FR', { timeStyle: 'short', timeZone: fuseau })
  const at = (instant: string) => clock.format(new Date(instant))
  const hours =
    fenetre_client === null
      ? `de ${at(debut)} à ${at(fin)}`
      : `entre ${at(fenetre_client.debut)} et ${at(fenetre_client.fin)}`
  return `${day.format(new Date(fenetre_client?.debut ?? debut))}, ${hours}`
}

/** Without an `action` it goes to the page's own address, whatever stands before it outside. */
const form = ({ version }: Pick<RdvPageView, 'version'>, action: string, content: string) =>
  `<form method="post">
<input type="hidden" name="action" value="${action}">
<input type="hidden" name="version" value="${version}">
${content}
</form>`

function otherTimes(view: RdvPageView): string {
  const { autres, fuseau } = view
  if (autres.length === 0) return ''
  const buttons = autres.map(({ debut, fin, jeton }) => {
    const time = timeOf({ fuseau, fenetre_client: null, debut, fin })
    return `<button class="autre" name="jeton" value="${escaped(jeton)}">${escaped(time)}</button>`
  })
  return `<h2>Un autre moment vous convient mieux ?</h2>\n${form(view, 'deplacer', buttons.join('\n'))}`
}

const accessForm = `<h2>Comment entrer ?</h2>
<form method="post">
<input type="hidden" name="action" value="acces">
<label for="acces">Code de porte, étage, où se garer</label>
<input id="acces" name="acces" required maxlength="200" autocomplete="off">
<button>Transmettre</button>
</form>`

const cancelForm = (view: RdvPageView) => `<details>
<summary>Annuler ce rendez-vous</summary>
${form(
  view,
  'annuler',
  '<label for="motif">Pourquoi ? (facultatif)</label>\n<textarea id="motif" name="motif" rows="2" maxlength="300"></textarea>\n<button>Annuler le rendez-vous</button>',
)}
</details>`

function contact({ societe: { telephone, email }, changeable, statut }: RdvPageView): string {
  const ways = [
    telephone === null
      ? ''
      : `appelez-nous au <a href="tel:${escaped(telephone.replace(/[^+\d]/g, ''))}">${escaped(telephone)}</a>`,
    email === null
      ? ''
      : `écrivez à <a href="mailto:${escaped(encodeURIComponent(email).replaceAll('%40', '@'))}">${escaped(email)}</a>`,
  ].filter(Boolean)
  const how = ways.length === 0 ? 'répondez à notre message' : ways.join(' ou ')
  if (changeable || statut === 'annule' || statut === 'en_cours')
    return `${how.charAt(0).toUpperCase()}${how.slice(1)}.`
  return `Il reste moins de 24 heures : pour changer ou annuler, ${how}.`
}
