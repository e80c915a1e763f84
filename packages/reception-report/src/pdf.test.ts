import type { ReportContent } from '@sav/core/ports'
import jsQR from 'jsqr'
import sharp from 'sharp'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { blackPng } from '../test/hostile.js'
import { type PdfPage, paintedPages, pdfPages, wordsOf } from '../test/pdf-pages.js'
import { compare } from '../test/references.js'
import { content, photo, reportPhoto, storedFile } from '../test/sample.js'
import { layOut } from './document.js'
import { createReportRenderer } from './pdf.js'
import { drawInk } from './photos.js'

const renderer = createReportRenderer({ timeZone: 'Europe/Paris' })
afterAll(() => renderer.close())
const MiB = 1024 * 1024

async function rendered(changes: Partial<ReportContent> = {}) {
  const pdf = await renderer.render(await content(changes))
  const pages = await pdfPages(pdf)
  return { pdf, pages, words: wordsOf(pages) }
}

const plain = { photos: [], photo_avant: null, photo_apres: null } as const

/** The sample report, drawn once for many tests. */
const usual = rendered()

/** The pages of a report with no picture but the signature. Laid out in this process, which is faster. */
async function laidOut(changes: Partial<ReportContent>): Promise<PdfPage[]> {
  const given = await content({ ...plain, logo: null, ...changes })
  const ink = given.signature && (await drawInk(given.signature))
  return pdfPages(await layOut({ ...plain, logo: null, signature: ink, content: given }, 'Europe/Paris'))
}

/** The highest number of lines, from `fewest` to 39, for which `holds` is true. It must be false for 40. */
async function mostLines(fewest: number, holds: (lines: number) => Promise<boolean>): Promise<number> {
  let [most, tooMany] = [fewest, 40]
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2)
    if (await holds(middle)) most = middle
    else tooMany = middle
  }
  return most
}

const noise = async (width: number, height: number): Promise<ReportContent['photos'][number]> =>
  reportPhoto(
    await sharp({
      create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 120 } },
    })
      .jpeg({ quality: 90 })
      .toBuffer(),
    'image/jpeg',
  )

/** The URLs of a document's links, which the file contains uncompressed. */
const linksIn = (pdf: Uint8Array) =>
  [
    ...Buffer.from(pdf)
      .toString('latin1')
      .matchAll(/\/S \/URI\n\/URI \(([^)]*)\)/g),
  ].map(([, url]) => url)

describe('a signed report', () => {
  test('has people, work, times and evidence', async () => {
    const given = await content()
    const { words, pages } = await usual
    for (const said of [
      'Procès-verbal de réception',
      'SAV-2026-00042',
      'Ateliers Lœuvre & Fils',
      'SIRET 123 456 789 00012',
      'Maëlle Dupré-Nuñez',
      '3 impasse du Noyer, 69100 Villeurbanne',
      'Łukasz Brânză',
      'Façade',
      'Ouvert le 12 janvier 2026 à 9 h 05',
      'Clôturé le 15 janvier 2026 à 11 h 30',
      'Tél. 04 78 00 11 22 sav@ateliers.example',
      'Téléphone 06 12 34 56 78',
      'Fait à Villeurbanne, le 15 janvier 2026 à 11 h 30',
      'Pour Ateliers Lœuvre & Fils : Łukasz Brânză',
      'La charnière du bas « claque » à chaque ouverture.',
      'Essai d’ouverture et de fermeture, vingt fois, en présence du client.',
      'Réception prononcée sans réserve.',
      'Nom du signataire : Maëlle Dupré-Nuñez',
      given.preuve.hash_sha256,
      given.preuve.hash_entree,
      'Entrée n° 42',
      `À vérifier sur sav.ateliers.example/verifier/${given.preuve.hash_sha256.slice(0, 16)}`,
      'Assurance : Assurances du Rhône',
      'Médiation de la consommation : Médiateur de l’ameublement',
      'Protection des données',
    ])
      expect(words).toContain(said)
    for (const { sha256 } of [...given.photos, given.photo_avant, given.photo_apres].filter((found) => found !== null))
      expect(words).toContain(`SHA-256 : ${sha256?.slice(0, 12)}…`)
    expect(pages).toHaveLength(2)
    expect(pages[0]?.text).toContain('Page 1/2')
    expect(pages[1]?.text).toContain('Page 2/2')
  })

  test('has a QR code with the address of its check page', async () => {
    const { check_url } = await content()
    const [, second] = await paintedPages((await usual).pdf, 3)
    if (second === undefined) throw new Error('no second page')
    const found = jsQR.default(new Uint8ClampedArray(second.pixels), second.width, second.height)
    expect(found?.data).toBe(check_url)
  })

  test('links the hash, the address and the QR code to its check page', async () => {
    const { check_url } = await content()
    expect(linksIn((await usual).pdf)).toEqual([check_url, check_url, check_url])
  })

  test('has no QR code or links without a check page', async () => {
    const { words, pdf } = await rendered({ ...plain, check_url: null, check_address: null })
    expect(words).not.toContain('À vérifier sur')
    expect(linksIn(pdf)).toEqual([])
  })

  test('prints a number before each of the customer’s reserves', async () => {
    const one = await rendered({ ...plain, reserves: ['Joint à reprendre'] })
    expect(one.words).toContain('Réception prononcée avec la réserve suivante : 1. Joint à reprendre')
    const two = await rendered({ ...plain, reserves: ['Joint à reprendre', 'Poignée rayée'] })
    expect(two.words).toContain('avec les 2 réserves suivantes : 1. Joint à reprendre 2. Poignée rayée')
    expect(two.words).toContain('la réceptionne avec les réserves énoncées.')
  })

  test('keeps the signature and its name line on one page, at any position', async () => {
    /** The page of the signature and the name line, below the given number of lines. */
    const pageBelow = async (lines: number) => {
      const resolution = Array.from({ length: lines }, (_, line) => `Point ${line + 1}`).join('\n')
      const pages = await laidOut({ resolution })
      const signed = pages.filter(({ text }) => text.includes('Signature du client'))
      expect(signed).toHaveLength(1)
      expect(signed[0]?.text).toMatch(/Le client reconnaît[\s\S]*Nom du signataire/)
      return pages.findIndex(({ text }) => text.includes('Signature du client'))
    }
    // A page break between the two lines could only occur where both just no longer fit.
    const fits = await mostLines(1, async (lines) => (await pageBelow(lines)) === 0)
    const around = [1, fits - 1, fits, fits + 1, fits + 2, 40]
    expect(await Promise.all(around.map((lines) => pageBelow(lines)))).toEqual([0, 0, 0, 1, 1, 1])
  })

  test('fits a long name and reservations in the signature box', async () => {
    const { pdf } = await rendered({
      signataire_nom: 'Marie-Charlotte de la Tour du Pin-Beauregard, '.repeat(3).slice(0, 119),
      reserves: ['Joint à reprendre', 'Poignée rayée'],
    })
    await compare('long-name', (await paintedPages(pdf)).slice(1, 2))
  })

  test('stays a signed report when its signature cannot be drawn', async () => {
    const signature = storedFile(Buffer.from('\x89PNG\r\n\x1a\nnothing more', 'latin1'), 'image/png')
    const { words } = await rendered({ ...plain, signature })
    expect(words).toContain('Procès-verbal de réception')
    expect(words).toContain('Fichier endommagé ou illisible')
  })
})

describe('a report', () => {
  test('of a short case has one page, even with two reservations', async () => {
    for (const reserves of [[], ['Une rayure reste sur la façade du bas.', 'Le joint de l’évier est à reprendre.']])
      expect(await laidOut({ reserves })).toHaveLength(1)
  })

  test('that is longer moves its evidence to a second page, then also reservations with the signature', async () => {
    const [signed, proof] = [
      ['Réserves', 'Signature du client', 'Fait à'],
      ['Preuve d’intégrité', 'Protection des données'],
    ]
    const withLines = async (count: number) => {
      const resolution = Array.from({ length: count }, (_, line) => `Point ${line + 1}.`).join('\n')
      return laidOut({ resolution, reserves: ['Joint à reprendre', 'Poignée rayée'] })
    }
    /** The highest number of lines with which the first page still contains `words`. */
    const lastWith = (words: string, fewest: number) =>
      mostLines(fewest, async (lines) => (await withLines(lines))[0]?.text.includes(words) ?? false)
    const all = await lastWith('Protection', 3)
    expect(await withLines(all)).toHaveLength(1)
    const [first, second] = await withLines(all + 1)
    for (const part of signed) expect(first?.text).toContain(part)
    for (const part of proof) expect(first?.text).not.toContain(part)
    for (const part of proof) expect(second?.text).toContain(part)
    const together = await lastWith('Signature du client', all)
    const [before, after, ...more] = await withLines(together + 1)
    for (const part of signed) expect(before?.text).not.toContain(part)
    for (const part of [...signed, ...proof]) expect(after?.text).toContain(part)
    expect(more).toEqual([])
  })

  test('keeps the last of many reservations on the page of the signature', async () => {
    const reserves = Array.from({ length: 20 }, (_, index) => `Point ${index + 1} ${'à reprendre partout '.repeat(23)}`)
    const pages = await laidOut({ reserves })
    expect(pages.find(({ text }) => /20\.\s/.test(text))?.text).toMatch(/20\.\s[\s\S]*Signature du client/)
    expect(pages.at(-1)?.text).toMatch(/Preuve[\s\S]*Protection des données/)
  })

  test('has the legal notices at the foot of the last page', async () => {
    const { pdf } = await rendered({ ...plain, signature: null, resolution: 'Porte réglée.' })
    const [page] = await paintedPages(pdf)
    if (page === undefined) throw new Error('no page')
    const isInked = (y: number) =>
      page.pixels.subarray(y * page.width * 4, (y + 1) * page.width * 4).some((value) => value < 200)
    // The page footer begins below pixel row 800.
    const inked = Array.from({ length: 798 }, (_, y) => y).filter(isInked)
    expect(inked.at(-1)).toBeGreaterThan(780)
    // There is a gap above the notices.
    expect(inked.some((y, index) => y - (inked[index - 1] ?? y) > 100)).toBe(true)
  })
})

describe('a report of a case that was reopened', () => {
  const remplace = {
    date_cloture: '2026-01-14T23:30:00.000Z',
    signed: true,
    reserves: ['Façade rayée', 'Joint à reprendre'],
  }

  test('names the report that it replaces, and repeats its reservations', async () => {
    const { words } = await rendered({ ...plain, remplace, reserves: ['Teinte plus claire'] })
    expect(words).toContain('Remplace le PV du 15 janvier 2026')
    expect(words).toContain('remplace le PV du 15 janvier 2026, qui portait : 1. Façade rayée 2. Joint à reprendre')
    expect(words).toContain('Réception prononcée avec la réserve suivante : 1. Teinte plus claire')
    expect(words.indexOf('Façade rayée')).toBeLessThan(words.indexOf('Teinte plus claire'))
  })

  test('names the report that it replaces, but repeats no reservations if that report was unsigned', async () => {
    const { words } = await rendered({ ...plain, remplace: { ...remplace, signed: false, reserves: [] } })
    expect(words).toContain('Remplace le rapport du 15 janvier 2026')
    expect(words).not.toContain('Réserves du rapport précédent')
  })
})

describe('an unsigned report', () => {
  test('does not claim to be a reception', async () => {
    const { words } = await rendered({
      ...plain,
      signature: null,
      signataire_nom: null,
      reserves: ['Joint à reprendre'],
    })
    expect(words).toContain('Rapport de fin d’intervention')
    expect(words).toContain('il ne vaut pas réception')
    expect(words).not.toContain('Procès-verbal')
    expect(words).not.toContain('Réception prononcée')
  })
})

describe('a missing field', () => {
  test('is left out', async () => {
    const societe = {
      account: 'default',
      raison_sociale: null,
      adresse: null,
      siret: null,
      email: null,
      telephone: null,
      assureur: null,
      mediateur: null,
    }
    const { words } = await rendered({
      societe,
      logo: null,
      poseur: null,
      photos: [],
      photo_avant: null,
      photo_apres: null,
      signataire_nom: null,
      client: { nom: 'Petit', prenom: '', telephone: null, adresse: null },
    })
    expect(words).toMatch(/^Service après-vente .* données : le service après-vente traite/)
    expect(words).toContain('Fait le 15 janvier 2026')
    expect(words).not.toMatch(
      /default|null|undefined|on renseigné|Photos|Assurance :|Médiation|Tél|Lieu|Interven(ant|u)|Nom du|Pour /,
    )
  })
})

describe('a photo that cannot be drawn', () => {
  test('is replaced by a note', async () => {
    const whole = (await photo('#446688')).file?.content ?? new Uint8Array()
    const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(200)])
    const { words } = await rendered({
      photos: [
        reportPhoto(Buffer.from(whole.subarray(0, whole.length / 2)), 'image/jpeg'),
        reportPhoto(heic, 'image/heic'),
        { sha256: null, url: `https://photos.example/${'x'.repeat(2000)}`, file: null },
        { sha256: 'ab'.repeat(32), url: null, file: null },
        reportPhoto(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'),
      ],
    })
    expect(words).toContain('Fichier endommagé ou illisible : conservé au dossier tel qu’il a été reçu.')
    expect(words).toContain('Photo au format HEIC : conservée au dossier')
    expect(words).toContain('Photo transmise sous forme de lien, non imprimée : https://photos.example/xxx')
    expect(words).toContain('Le fichier n’est plus au dossier.')
    expect(words).toContain('Ce format d’image ne peut être imprimé')
  })

  test('includes any photo of more than 100 million pixels', async () => {
    const black = (height: number) => reportPhoto(blackPng(10_000, height), 'image/png')
    const taken = await rendered({ ...plain, photo_apres: black(10_000) })
    expect(taken.words).not.toContain('Fichier endommagé')
    const refused = await rendered({ ...plain, photo_apres: black(10_001) })
    expect(refused.words).toContain('Fichier endommagé ou illisible')
  })
})

describe('text', () => {
  test('that the fonts lack is replaced by a mark, which is explained', async () => {
    const { words } = await rendered({ ...plain, description: 'Merci 👍🏽 au poseur 漢字, à bientôt\u0000\u202e !' })
    expect(words).toContain('Merci □ au poseur □□, à bientôt !')
    expect(words).toContain('□ remplace un caractère')
    expect((await usual).words).not.toContain('□')
  })

  test('continues on further pages when it is long', async () => {
    const sentence = 'Le plan de travail s’est fendu près de l’évier, « net », sur toute la largeur. '
    const { pages, words } = await rendered({
      description: sentence.repeat(26).slice(0, 2000),
      resolution: `${'é'.repeat(3996)} fin`,
      reserves: Array.from({ length: 20 }, (_, index) => `${index + 1}/20 ${sentence.repeat(7)}`.slice(0, 500)),
      photos: Array.from({ length: 10 }, () => ({ sha256: 'ab'.repeat(32), url: null, file: null })),
    })
    expect(pages.length).toBeGreaterThan(4)
    expect(words).toContain('20. 20/20')
    expect(words).toContain('fin')
    expect(words.match(/Page \d+\/\d+/g)).toEqual(pages.map((_, index) => `Page ${index + 1}/${pages.length}`))
  })
})

describe('the file', () => {
  test('has the same bytes for the same content, whether the sources or the published bundle draw it', async () => {
    const built: typeof import('./pdf.js') = await import(new URL('../dist/pdf.js', import.meta.url).href)
    const itsRenderer = built.createReportRenderer({ timeZone: 'Europe/Paris' })
    onTestFinished(() => itsRenderer.close())
    expect(Buffer.from(await itsRenderer.render(await content())).equals((await usual).pdf)).toBe(true)
  })

  test('declares PDF/A-3a and PDF/UA-1, language, title and alternative texts', async () => {
    const { pdf } = await usual
    const text = Buffer.from(pdf).toString('latin1')
    expect(text).toContain('<pdfaid:part>3</pdfaid:part>')
    expect(text).toContain('<pdfaid:conformance>A</pdfaid:conformance>')
    expect(text).toContain('<pdfuaid:part>1</pdfuaid:part>')
    expect(text).toContain('/Lang (fr-FR)')
    expect(text).toContain('/Marked true')
    expect(text).toContain('/DisplayDocTitle true')
    // The figures are the logo, four photos, the signature and the QR code.
    expect(text.match(/\/S \/Figure\n\/Alt /g)).toHaveLength(7)
    expect(text.match(/\/S \/Link\n/g)).toHaveLength(3)
  })

  test('stays below 5 MiB with twelve photos, a logo and a signature of noise', async () => {
    const grain = await noise(2000, 2000)
    const { pdf } = await rendered({
      photos: Array(10).fill(grain),
      photo_avant: grain,
      photo_apres: grain,
      logo: grain.file,
      signature: grain.file,
    })
    expect(pdf.length).toBeLessThan(5 * MiB)
  })

  test('is drawn without changing the photos of the case', async () => {
    const given = await content()
    const before = given.photos.map(({ file }) => Buffer.from(file?.content ?? []))
    await renderer.render(given)
    expect(given.photos.map(({ file }) => file?.content)).toEqual(before)
  })
})

describe('a drawn report', () => {
  test('looks like its reference if it is signed', async () => {
    const pages = await paintedPages((await usual).pdf)
    await compare('signed', pages)
    expect(pages).toHaveLength(2)
  })

  test('looks like its reference if it is unsigned and has few fields', async () => {
    const { pdf } = await rendered({
      signature: null,
      logo: null,
      check_url: null,
      check_address: null,
      photos: [],
      photo_avant: null,
      photo_apres: null,
      reserves: ['Joint à reprendre', 'Poignée rayée : à remplacer'],
    })
    await compare('unsigned', await paintedPages(pdf))
  })
})
