import { escapedHtml, inkOn, telephoneUrl } from '@sav/core/feature'
import type { StoredFile } from '@sav/core/ports'
import { publicPages } from '@sav/http-node/feature'
import type { RdvPageView } from '../customers/rdv-pages.js'

/** @param colour of the shop */
const styleIn = (colour: string) => `
:root { --shop: ${colour}; --ink: ${inkOn(colour)}; }
body { margin: 0 auto; padding: 1.25rem; }
.tete { display: flex; align-items: center; gap: .75rem; padding-bottom: .75rem; border-bottom: 3px solid var(--shop); font-weight: 600; }
.tete img { max-height: 3rem; max-width: 9rem; padding: 4px; background: #fff; border-radius: .25rem; }
.tete a { margin-left: auto; font-size: .9375rem; font-weight: 400; }
p.avis { padding: .75rem 1rem; border-radius: .5rem; background: #1f7a4d1f; }
p.quand { font-size: 1.25rem; }
p.quand::first-letter, .autres strong::first-letter { text-transform: uppercase; }
form, details { margin: 1.25rem 0; }
button { font: inherit; font-weight: 600; width: 100%; padding: .8rem 1rem; border: 1px solid color-mix(in srgb, currentColor 35%, var(--shop)); border-radius: .5rem; background: var(--shop); color: var(--ink); cursor: pointer; }
button.second { border-color: currentColor; background: none; color: inherit; }
.autres { display: grid; gap: .5rem; }
@media (min-width: 34rem) { .autres { grid-template-columns: repeat(3, 1fr); } }
.autres details { margin: 0; border: 1px solid color-mix(in srgb, currentColor 35%, var(--shop)); border-radius: .5rem; }
.autres details[open] { grid-column: 1 / -1; }
.autres summary { padding: .7rem 1rem; cursor: pointer; list-style: none; }
.autres summary::-webkit-details-marker { display: none; }
.autres strong { display: block; }
.autres form { margin: 0; padding: 0 1rem 1rem; }
button:focus-visible, input:focus-visible, textarea:focus-visible, summary:focus-visible { outline: 3px solid #4b9bd6; outline-offset: 2px; }
label { display: block; margin-bottom: .35rem; }
input, textarea { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem; margin-bottom: .6rem; }
h2 { font-size: 1.125rem; margin-top: 2rem; }
`

/** A page, and the value of its Content-Security-Policy header. */
export interface ShownPage {
  readonly content: string
  readonly policy: string
}

const pagesIn = (colour: string) => publicPages({ style: styleIn(colour), forms: true, pictures: true })

type Language = 'fr' | 'en'

const french = {
  locale: 'fr-FR',
  other: { language: 'en', name: 'English' },
  /** The notice that the page shows after a form was sent, by the word in its address (`?avis=`). */
  notices: {
    confirme: 'Merci, votre rendez-vous est confirmé.',
    deplace: 'C’est noté\u00a0: votre rendez-vous est déplacé et confirmé.',
    annule: 'Votre rendez-vous est annulé.',
    acces: 'Merci, votre code d’accès est transmis.',
    change: 'Ce rendez-vous vient de changer. Vérifiez-le avant de répondre.',
    pris: 'Ce créneau vient d’être pris, ou n’est plus proposé. En voici d’autres.',
    tard: 'Il est trop tard pour le changer ici.',
    invalide: 'Cette réponse n’a pas pu être comprise. Merci de réessayer.',
  },
  missing: 'Page introuvable',
  missingText:
    'Ce lien n’est plus valable, ou n’a pas été recopié en entier. Le plus récent de nos messages contient le bon.',
  titles: {
    planifie: 'Votre rendez-vous',
    confirme: 'Votre rendez-vous est confirmé',
    en_cours: 'Votre rendez-vous est en cours',
    annule: 'Rendez-vous annulé',
  },
  /** The heading of a shop without a name. */
  shop: 'Service après-vente',
  between: (from: string, to: string) => `entre ${from} et ${to}`,
  lasting: (from: string, to: string) => `de ${from} à ${to}`,
  poseur: (name: string) => `Intervenant\u00a0: ${name}`,
  confirm: 'Confirmer ce rendez-vous',
  otherTimes: 'Un autre moment vous convient mieux ?',
  move: 'Déplacer votre rendez-vous à ce moment ? Celui d’avant est alors libéré.',
  doMove: 'Oui, déplacer',
  access: 'Comment entrer ?',
  sent: (end: string) => `Déjà transmis${end === '' ? '' : `\u00a0: …${end}`}. Une nouvelle réponse remplace celle-là.`,
  accessLabel: 'Code de porte, étage, où se garer',
  send: 'Transmettre',
  cancel: 'Annuler ce rendez-vous',
  why: 'Pourquoi ? (facultatif)',
  doCancel: 'Annuler le rendez-vous',
  question: 'Une question ?',
  call: (link: string) => `appelez-nous au ${link}`,
  write: (link: string) => `écrivez à ${link}`,
  answer: 'répondez à notre message',
  or: ' ou ',
  late: (how: string) => `Il reste moins de 24 heures\u00a0: pour changer ou annuler, ${how}.`,
}

const words: Readonly<Record<Language, typeof french>> = {
  fr: french,
  en: {
    locale: 'en-GB',
    other: { language: 'fr', name: 'Français' },
    notices: {
      confirme: 'Thank you, your appointment is confirmed.',
      deplace: 'Done: your appointment is moved and confirmed.',
      annule: 'Your appointment is cancelled.',
      acces: 'Thank you, we have your access code.',
      change: 'This appointment has just changed. Check it before you answer.',
      pris: 'This time has just been taken, or is no longer offered. Here are others.',
      tard: 'It is too late to change your appointment here.',
      invalide: 'This answer could not be understood. Please try again.',
    },
    missing: 'Page not found',
    missingText: 'This link is no longer valid, or was not copied whole. Our latest message has the right one.',
    titles: {
      planifie: 'Your appointment',
      confirme: 'Your appointment is confirmed',
      en_cours: 'Your appointment is under way',
      annule: 'Appointment cancelled',
    },
    shop: 'After-sales service',
    between: (from, to) => `between ${from} and ${to}`,
    lasting: (from, to) => `from ${from} to ${to}`,
    poseur: (name) => `Your installer: ${name}`,
    confirm: 'Confirm this appointment',
    otherTimes: 'Would another time suit you better?',
    move: 'Move your appointment to this time? You will lose the previous one.',
    doMove: 'Yes, move it',
    access: 'How to get in?',
    sent: (end) => `We already have your answer${end === '' ? '' : `: …${end}`}. A new one replaces it.`,
    accessLabel: 'Door code, floor, where to park',
    send: 'Send',
    cancel: 'Cancel this appointment',
    why: 'Why? (optional)',
    doCancel: 'Cancel the appointment',
    question: 'A question?',
    call: (link) => `call us on ${link}`,
    write: (link) => `write to ${link}`,
    answer: 'answer our message',
    or: ' or ',
    late: (how) => `Less than 24 hours are left: to change or cancel, ${how}.`,
  },
}

export type Notice = keyof typeof french.notices

const isNotice = (text: string | null): text is Notice => text !== null && Object.hasOwn(french.notices, text)

export function missingRdvPage(language: Language): ShownPage {
  const { missing, missingText } = words[language]
  // The secret is unknown, so its shop is too: the page has the default colour.
  const { page, policy } = pagesIn('#17507a')
  return { policy, content: page(missing, `<h1>${missing}</h1>\n<p>${missingText}</p>`, language) }
}

/** @param notice the word in the page's address; an unknown word is ignored */
export function rdvPage(view: RdvPageView, notice: string | null, language: Language): ShownPage {
  const { statut, societe, confirmable, changeable, lieu, poseur } = view
  const said = words[language]
  const title = said.titles[statut]
  const shop = societe.nom ?? said.shop
  const where = [lieu ?? '', said.poseur(poseur)].filter(Boolean).map(escapedHtml)
  const { day, hours } = timeOf(view, language)
  const parts = [
    head(shop, societe.logo, language),
    isNotice(notice) ? `<p class="avis" role="status">${said.notices[notice]}</p>` : '',
    `<h1>${title}</h1>`,
    `<p class="quand">${escapedHtml(`${day}, ${hours}`)}</p>`,
    `<p>${where.join('<br>')}</p>`,
    confirmable ? form(view, 'confirmer', `<button>${said.confirm}</button>`) : '',
    changeable ? otherTimes(view, language) : '',
    statut === 'annule' ? '' : accessForm(view, language),
    changeable ? cancelForm(view, language) : '',
    `<h2>${said.question}</h2>\n<p>${contact(view, language)}</p>`,
  ]
  const { page, policy } = pagesIn(societe.couleur)
  return { policy, content: page(`${title} – ${shop}`, parts.filter(Boolean).join('\n'), language) }
}

/** The page's shop, and the link to the other language. */
function head(shop: string, logo: StoredFile | null, language: Language): string {
  const { other } = words[language]
  const picture = logo
    ? `<img src="data:${logo.media_type};base64,${Buffer.from(logo.content).toString('base64')}" alt="">`
    : ''
  return `<header class="tete">${picture}<span>${escapedHtml(shop)}</span><a href="?langue=${other.language}" hreflang="${other.language}" lang="${other.language}">${other.name}</a></header>`
}

/** `mercredi 18 mars 2026`, and `de 9 h 30 à 11 h 00`, or a window. */
function timeOf(
  { fuseau, fenetre_client, debut, fin }: Pick<RdvPageView, 'fuseau' | 'fenetre_client' | 'debut' | 'fin'>,
  language: Language,
): { readonly day: string; readonly hours: string } {
  const { locale, between, lasting } = words[language]
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: fuseau })
  const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: fuseau })
  const at = (instant: string) => {
    const shown = clock.format(new Date(instant)).replace(/^0/, '')
    // French times are written as in letters: `9 h 30`.
    return language === 'fr' ? shown.replace(':', '\u00a0h\u00a0') : shown
  }
  const told = fenetre_client ?? { debut, fin }
  const write = fenetre_client === null ? lasting : between
  const shown = day.format(new Date(told.debut))
  return {
    // French writes the first of a month as an ordinal.
    day: language === 'fr' ? shown.replace(/(?<= )1(?= )/, '1er') : shown,
    hours: write(at(told.debut), at(told.fin)),
  }
}

/** A form. It has no `action` attribute, so it posts to the page's own address, whatever prefix a proxy adds. */
const form = ({ version }: Pick<RdvPageView, 'version'>, action: string, content: string) =>
  `<form method="post">
<input type="hidden" name="action" value="${action}">
<input type="hidden" name="version" value="${version}">
${content}
</form>`

/** Each choice asks for a confirmation. */
function otherTimes(view: RdvPageView, language: Language): string {
  const { autres, fuseau } = view
  const said = words[language]
  if (autres.length === 0) return ''
  const choices = autres.map(({ debut, fin, jeton }) => {
    const { day, hours } = timeOf({ fuseau, fenetre_client: null, debut, fin }, language)
    const question = `<p>${said.move}</p>\n<button name="jeton" value="${escapedHtml(jeton)}">${said.doMove}</button>`
    return `<details name="autre">\n<summary><strong>${escapedHtml(day)}</strong>${escapedHtml(hours)}</summary>\n${form(view, 'deplacer', question)}\n</details>`
  })
  return `<h2>${said.otherTimes}</h2>\n<div class="autres">\n${choices.join('\n')}\n</div>`
}

function accessForm({ acces_fin }: RdvPageView, language: Language): string {
  const said = words[language]
  return `<h2>${said.access}</h2>${acces_fin === null ? '' : `\n<p>${escapedHtml(said.sent(acces_fin))}</p>`}
<form method="post">
<input type="hidden" name="action" value="acces">
<label for="acces">${said.accessLabel}</label>
<input id="acces" name="acces" required maxlength="200" autocomplete="off">
<button class="second">${said.send}</button>
</form>`
}

function cancelForm(view: RdvPageView, language: Language): string {
  const said = words[language]
  const fields = `<label for="motif">${said.why}</label>
<textarea id="motif" name="motif" rows="2" maxlength="300"></textarea>
<button>${said.doCancel}</button>`
  return `<details>\n<summary>${said.cancel}</summary>\n${form(view, 'annuler', fields)}\n</details>`
}

function contact({ societe: { telephone, email }, changeable, statut }: RdvPageView, language: Language): string {
  const said = words[language]
  const link = (href: string, text: string) => `<a href="${href}">${escapedHtml(text)}</a>`
  const ways = [
    telephone === null ? '' : said.call(link(telephoneUrl(telephone), telephone)),
    email === null
      ? ''
      : said.write(link(`mailto:${escapedHtml(encodeURIComponent(email).replaceAll('%40', '@'))}`, email)),
  ].filter(Boolean)
  const how = ways.length === 0 ? said.answer : ways.join(said.or)
  if (changeable || statut === 'annule' || statut === 'en_cours')
    return `${how.charAt(0).toUpperCase()}${how.slice(1)}.`
  return said.late(how)
}
