import type { HistoryLine } from './history-chain.js'

/** A close on site that arrived after the case was closed. It is kept beside the case, with its files. */
export interface Addendum {
  /** The instant of its arrival. */
  readonly date: string
  /** When it happened, by the phone's corrected clock. */
  readonly survenu_a: string
  readonly resolution: string
  readonly photo_avant: string | null
  readonly photo_apres: string | null
  readonly signature_client: string | null
  readonly signataire_nom: string | null
  readonly reserves: readonly string[]
  readonly vu: string | null
}

const fileFields = ['photo_avant', 'photo_apres', 'signature_client', 'vu'] as const

/** An addendum in the history: a line for each value. Texts are salted, files are named by their SHA-256. */
type AddendumLine = Pick<HistoryLine, 'champ' | 'nouvelle_valeur' | 'commentaire'>

const first = 'addendum'

/** The history lines of an addendum. */
export function addendumLines(told: Omit<Addendum, 'date'>): AddendumLine[] {
  const line = (champ: string, nouvelle_valeur: string | null, commentaire: string | null) => ({
    champ,
    nouvelle_valeur,
    commentaire,
  })
  const { signataire_nom } = told
  return [
    line(first, told.survenu_a, told.resolution),
    ...told.reserves.map((reserve) => line(`${first}_reserve`, null, reserve)),
    ...(signataire_nom === null ? [] : [line(`${first}_signataire_nom`, null, signataire_nom)]),
    ...fileFields.flatMap((field) => (told[field] === null ? [] : [line(`${first}_${field}`, told[field], null)])),
  ]
}

/** The addenda in a case's whole history since its last erasure, oldest first. */
export function addendaOf(history: readonly HistoryLine[]): Addendum[] {
  const addenda: Addendum[] = []
  for (const line of history.slice(history.findLastIndex(({ type }) => type === 'effacement') + 1)) {
    if (line.type !== 'addendum') continue
    const [last] = addenda.slice(-1)
    if (line.champ === first) addenda.push(begunBy(line))
    else if (last !== undefined) addenda[addenda.length - 1] = { ...last, ...toldBy(line, last) }
  }
  return addenda
}

const begunBy = ({ date, nouvelle_valeur, commentaire }: HistoryLine): Addendum => ({
  date,
  survenu_a: String(nouvelle_valeur),
  resolution: commentaire ?? '',
  photo_avant: null,
  photo_apres: null,
  signature_client: null,
  signataire_nom: null,
  reserves: [],
  vu: null,
})

function toldBy(
  { champ, nouvelle_valeur, commentaire }: HistoryLine,
  { reserves }: Pick<Addendum, 'reserves'>,
): Partial<Addendum> {
  if (champ === `${first}_reserve`) return { reserves: [...reserves, commentaire ?? ''] }
  if (champ === `${first}_signataire_nom`) return { signataire_nom: commentaire }
  const field = fileFields.find((name) => champ === `${first}_${name}`)
  return field === undefined ? {} : { [field]: String(nouvelle_valeur) }
}

/** SHA-256 of each file of an addendum. */
export const filesOfAddendum = (told: Pick<Addendum, (typeof fileFields)[number]>): string[] =>
  fileFields.map((field) => told[field]).filter((sha256) => sha256 !== null)
