import { sha256Of } from '../node-crypto.js'
import type { Random } from '../values/random.js'
import { type Visit, type VisitDigests, visitDigests, visitFields } from './visit-digests.js'

/** The newest line of a case's history that the chain covers. */
export interface HistoryHead {
  readonly numero: number
  readonly hash: string
}

/** The content of a line of the history. */
export interface HistoryLine {
  readonly date: string
  readonly type: string
  readonly acteur: { readonly type: string; readonly id: string | null; readonly nom: string }
  readonly champ: string | null
  readonly ancienne_valeur: string | number | null
  readonly nouvelle_valeur: string | number | null
  readonly commentaire: string | null
}

/** The values of a history line with free text, which an erasure removes. */
type Text = 'ancienne_valeur' | 'nouvelle_valeur' | 'commentaire'

/**
 * SHA-256 of the line's salt followed by the text, for each free text of a line. `intervention` has the digests of the
 * visit that the line covers.
 */
export type LineDigests = { readonly [text in Text]?: string } & { readonly intervention?: VisitDigests }

/** The position of a history line in the chain of its case. */
export interface HistoryPlace {
  /** 1, 2, 3 … within the case, without a gap. */
  readonly numero: number
  readonly hash: string
  /** Null if there is no text, and after an erasure. Without the salt, the text cannot be guessed from its digest. */
  readonly sel: string | null
  readonly empreintes: LineDigests | null
}

/**
 * The case of the history. It is identified by its reference, because its id is not known yet when its first line is
 * hashed.
 */
export interface HistoryOwner {
  readonly account_id: string
  readonly reference: string
}

/** Replaces erased text. */
export const erasedText = '(effacé)'

/** The head of an empty chain. */
export const noLine: HistoryHead = { numero: 0, hash: '0'.repeat(64) }

/** 16 random bytes as hex. */
export const newSalt = (random: Random): string => Buffer.from(random(16)).toString('hex')

/** SHA-256 of the salt followed by the text, in UTF-8. */
export const saltedDigest = (sel: string, text: string): string => sha256Of(sel + text)

/** The positions of `lines` after `head` in the chain, and the new head. */
export function chained<Line extends HistoryLine>(
  owner: HistoryOwner,
  head: HistoryHead,
  lines: readonly (Line & VisitCover)[],
  random: Random,
): { readonly links: (Omit<Line, keyof VisitCover> & HistoryPlace)[]; readonly head: HistoryHead } {
  let last = head
  const links = lines.map(({ covers, ...line }) => {
    const numero = last.numero + 1
    const texts = textsOf(line)
    const sel = texts === null && covers === undefined ? null : newSalt(random)
    const empreintes = sel === null ? null : digestsOf(sel, texts ?? {}, covers)
    last = { numero, hash: hashOf(owner, line, { numero, empreintes, hash_precedent: last.hash }) }
    return { ...line, numero, hash: last.hash, sel, empreintes }
  })
  return { links, head: last }
}

/** A line about a visit, whose fields its hash covers. */
interface VisitCover {
  readonly covers?: Visit
}

type Texts = { readonly [text in Text]?: string }

function textsOf({ champ, ancienne_valeur, nouvelle_valeur, commentaire }: HistoryLine): Texts | null {
  if (champ !== 'notes_internes' && commentaire === null) return null
  const texts: { [text in Text]?: string } = {}
  if (champ === 'notes_internes' && ancienne_valeur !== null) texts.ancienne_valeur = String(ancienne_valeur)
  if (commentaire !== null) texts.commentaire = commentaire
  if (champ === 'notes_internes' && nouvelle_valeur !== null) texts.nouvelle_valeur = String(nouvelle_valeur)
  return texts
}

/** The digests of a line, in the order of their names, as in canonical JSON. */
function digestsOf(sel: string, texts: Texts, covers: Visit | undefined): LineDigests {
  const digests: { [text in Text]?: string } & { intervention?: VisitDigests } = {}
  if (texts.ancienne_valeur !== undefined) digests.ancienne_valeur = saltedDigest(sel, texts.ancienne_valeur)
  if (texts.commentaire !== undefined) digests.commentaire = saltedDigest(sel, texts.commentaire)
  if (covers !== undefined) digests.intervention = visitDigests(covers, sel)
  if (texts.nouvelle_valeur !== undefined) digests.nouvelle_valeur = saltedDigest(sel, texts.nouvelle_valeur)
  return digests
}

/**
 * SHA-256 of the canonical JSON (RFC 8785) of a line. The members are written in order here: sorting them takes three
 * times as long as everything else, in every creation.
 */
function hashOf(
  { account_id, reference }: HistoryOwner,
  line: HistoryLine,
  {
    numero,
    empreintes,
    hash_precedent,
  }: Pick<HistoryPlace, 'numero' | 'empreintes'> & { readonly hash_precedent: string },
): string {
  const { acteur, champ, date, type } = line
  const told = (text: 'ancienne_valeur' | 'nouvelle_valeur') =>
    empreintes?.[text] === undefined ? (line[text] ?? undefined) : undefined
  const { ancienne_valeur, commentaire, intervention, nouvelle_valeur } = empreintes ?? {}
  return sha256Of(
    JSON.stringify({
      account: account_id,
      acteur: { id: acteur.id ?? undefined, nom: acteur.nom, type: acteur.type },
      ancienne_valeur: told('ancienne_valeur'),
      champ: champ ?? undefined,
      date,
      empreintes:
        empreintes === null
          ? undefined
          : { ancienne_valeur, commentaire, intervention: inOrder(intervention), nouvelle_valeur },
      hash_precedent,
      nouvelle_valeur: told('nouvelle_valeur'),
      numero,
      reference,
      type,
      version: 1,
    }),
  )
}

/** The digests in a fixed order, even if the store keeps no order. */
const inOrder = (digests: VisitDigests | undefined) =>
  digests && Object.fromEntries(Object.entries(digests).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** A history line as stored, with its position. */
export type HistoryLink = HistoryLine & HistoryPlace

/** The faults of a case's whole history, given the head that the case names: one sentence each. */
export function faultsOfHistory(owner: HistoryOwner, head: HistoryHead, lines: readonly HistoryLink[]): string[] {
  const faults: string[] = []
  const lastErasure = lines.findLastIndex(({ type }) => type === 'effacement')
  let last = noLine
  for (const [index, line] of lines.entries()) {
    const { numero, hash: said, empreintes } = line
    if (index === 0 && line.type !== 'creation') faults.push('the history does not begin with line 1')
    if (numero !== last.numero + 1) faults.push(`line ${numero} of the history follows ${last.numero}`)
    if (said !== hashOf(owner, line, { numero, empreintes, hash_precedent: last.hash }))
      faults.push(`line ${numero} of the history does not match its hash`)
    for (const name of strayDigests(empreintes))
      faults.push(`line ${numero} of the history has a digest of ${name}, which the service never writes`)
    faults.push(...textFaults(line, index < lastErasure))
    last = { numero, hash: said }
  }
  if (last.numero !== head.numero || last.hash !== head.hash)
    faults.push(
      `the last line of the history (${last.numero}) does not have the number and hash that the case records for it (number ${head.numero})`,
    )
  return faults
}

/** Names of digests that the service never writes, and that no hash covers. */
function strayDigests(empreintes: LineDigests | null): string[] {
  const strays = (digests: object, known: readonly string[]) =>
    Object.keys(digests).filter((name) => !known.includes(name))
  return [
    ...strays(empreintes ?? {}, ['ancienne_valeur', 'commentaire', 'intervention', 'nouvelle_valeur']),
    ...strays(empreintes?.intervention ?? {}, visitFields).map((name) => `intervention.${name}`),
  ]
}

function textFaults(line: HistoryLink, isErased: boolean): string[] {
  const { numero, sel, empreintes } = line
  const faults: string[] = []
  for (const text of ['ancienne_valeur', 'nouvelle_valeur', 'commentaire'] as const) {
    const digest = empreintes?.[text]
    const isText = text === 'commentaire' || line.champ === 'notes_internes'
    const value = line[text]
    if (!isText || (digest === undefined && value === null)) continue
    const matches = isErased ? value === erasedText : sel !== null && saltedDigest(sel, String(value)) === digest
    if (digest === undefined || value === null || !matches)
      faults.push(`${text} of line ${numero} of the history does not match its digest`)
  }
  if (isErased ? sel !== null : (sel === null) !== (empreintes === null))
    faults.push(`line ${numero} of the history has ${sel === null ? 'no' : 'a'} salt`)
  return faults
}
