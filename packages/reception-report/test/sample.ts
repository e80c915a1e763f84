import { hash } from 'node:crypto'
import type { ReportContent, StoredFile } from '@sav/core/ports'
import sharp from 'sharp'

/** Pictures by their source, kept because making one takes longer than printing it. */
const made = new Map<string, Promise<Buffer>>()

function picture(svg: string, format: 'jpeg' | 'png'): Promise<Buffer> {
  const found = made.get(format + svg)
  if (found !== undefined) return found
  const image = sharp(Buffer.from(svg))
  const drawn = (format === 'png' ? image.png() : image.jpeg({ quality: 90 })).toBuffer()
  made.set(format + svg, drawn)
  return drawn
}

/** A photo of the case: a drawn kitchen front in the given colour, `width` × `height` pixels. */
export async function photo(
  colour: string,
  { width = 800, height = 600 } = {},
): Promise<ReportContent['photos'][number]> {
  const front = (x: number) =>
    `<rect x="${x}%" y="12%" width="27%" height="76%" fill="${colour}" stroke="#333" stroke-width="0.6%"/><rect x="${x + 22}%" y="40%" width="1.5%" height="16%" fill="#222"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#e9e4da"/>${front(6)}${front(36)}${front(66)}</svg>`
  return reportPhoto(await picture(svg, 'jpeg'), 'image/jpeg')
}

/** A signature on a transparent background, as phones send it. */
export async function signature(): Promise<StoredFile> {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200"><path d="M30 140 C 80 20 120 20 110 120 S 160 160 190 90 S 240 60 250 120 S 320 130 330 80 S 400 100 420 110 S 520 90 570 60" fill="none" stroke="#10204a" stroke-width="6" stroke-linecap="round"/></svg>'
  return storedFile(await picture(svg, 'png'), 'image/png')
}

export async function logo(): Promise<StoredFile> {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="420" height="150"><rect x="5" y="15" width="120" height="120" rx="20" fill="#b4472e"/><path d="M30 110 V45 H100 V110 M30 78 H100" fill="none" stroke="#fff" stroke-width="12"/><circle cx="230" cy="75" r="45" fill="#e0a458"/><rect x="290" y="30" width="100" height="90" fill="#2f4b3c"/></svg>'
  return storedFile(await picture(svg, 'png'), 'image/png')
}

export const storedFile = (content: Buffer, media_type: string): StoredFile => ({
  sha256: hash('sha256', content),
  media_type,
  content,
})

export function reportPhoto(content: Buffer, media_type: string): ReportContent['photos'][number] {
  const file = storedFile(content, media_type)
  return { sha256: file.sha256, url: null, file }
}

/** A signed report with invented names. */
export async function content(changes: Partial<ReportContent> = {}): Promise<ReportContent> {
  return {
    societe: {
      account: 'default',
      raison_sociale: 'Ateliers Lœuvre & Fils',
      adresse: '12 rue de l’Établi\n69003 Lyon',
      siret: '12345678900012',
      email: 'sav@ateliers.example',
      telephone: '04 78 00 11 22',
      assureur: 'Assurances du Rhône, contrat décennal nº 0042-XY',
      mediateur: 'Médiateur de l’ameublement, 8 avenue des Exemples, 75000 Paris',
    },
    logo: await logo(),
    reference: 'SAV-2026-00042',
    date_creation: '2026-01-12T08:05:00.000Z',
    date_cloture: '2026-01-15T10:30:00.000Z',
    remplace: null,
    client: {
      ...{ nom: 'Dupré-Nuñez', prenom: 'Maëlle', telephone: '06 12 34 56 78' },
      adresse: '3 impasse du Noyer, 69100 Villeurbanne',
    },
    description:
      'La façade du meuble haut à gauche de l’évier frotte contre sa voisine et ne ferme plus. La charnière du bas « claque » à chaque ouverture.',
    type_probleme: 'facade',
    poseur: 'Łukasz Brânză',
    photos: [await photo('#9fb6c3'), await photo('#c9b89a', { width: 600, height: 800 })],
    photo_avant: await photo('#8f9fa8'),
    photo_apres: await photo('#5f8f6b'),
    resolution:
      'Remplacement des deux charnières (110°), réglage des trois façades en hauteur et en profondeur, contrôle du jeu : 3 mm partout.\n\nEssai d’ouverture et de fermeture, vingt fois, en présence du client.',
    reserves: [],
    signature: await signature(),
    signataire_nom: 'Maëlle Dupré-Nuñez',
    preuve: { sequence: 42, hash_sha256: hash('sha256', 'dossier'), hash_entree: hash('sha256', 'entrée') },
    check_url: `https://sav.ateliers.example/verifier/${hash('sha256', 'dossier')}`,
    check_address: `https://sav.ateliers.example/verifier/${hash('sha256', 'dossier').slice(0, 16)}`,
    ...changes,
  }
}
