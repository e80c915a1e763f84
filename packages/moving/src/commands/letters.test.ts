import { expect, it } from 'vitest'
import { singleByteEncodings } from '../../../command/src/syntax/encoding.js'
import { decodeBytes, LetterCounts } from './letters.js'

const text = "N° client;Prénom\r\nC1;Hélène\r\nC2;Noël à l'Église\r\n"

// These bytes were written by Python's codecs.
const saved = {
  'windows-1252': '4eb020636c69656e743b5072e96e6f6d0d0a43313b48e96ce86e650d0a43323b4e6feb6c20e0206c27c9676c6973650d0a',
  cp850: '4ef820636c69656e743b5072826e6f6d0d0a43313b48826c8a6e650d0a43323b4e6f896c2085206c2790676c6973650d0a',
  macintosh: '4ea120636c69656e743b50728e6e6f6d0d0a43313b488e6c8f6e650d0a43323b4e6f916c2088206c2783676c6973650d0a',
} as const

const likely = (bytes: Uint8Array) => {
  const counts = new LetterCounts()
  counts.add(bytes)
  return counts.likely()
}

it.each(Object.entries(saved))('the encoding %s is recognised by the French letters in the text', (encoding, hex) => {
  const bytes = Buffer.from(hex, 'hex')
  expect(likely(bytes)).toEqual([encoding])
  expect(singleByteEncodings.filter((each) => decodeBytes(bytes, each) === text)).toContain(encoding)
})

/** The bytes of a text in an encoding, from the table that decodes them. */
const encoded = (words: string, encoding: (typeof singleByteEncodings)[number]) => {
  const table = decodeBytes(
    Uint8Array.from({ length: 256 }, (_, byte) => byte),
    encoding,
  )
  return Uint8Array.from(words, (character) => table.indexOf(character))
}

it.each([
  'Élodie Crémieux;3 allée des Chênes;Saint-Étienne',
  'LEVÊQUE HÉLÈNE;12 RUE DE L’ÉGLISE',
  'François;Le Garçon;où ça\u{A0}?',
  'Maître Benoît;Île-de-Bréhat;août',
  'Zoé Müller;Haguenau;à côté',
  'Porte fêlée à gauche;déjà réglée',
  'Gaël Muñoz;L’Haÿ-les-Roses;n° 4',
])('the text %s is read correctly in each encoding', (words) => {
  for (const encoding of singleByteEncodings) {
    const bytes = encoded(
      words.replaceAll('’', encoding === 'cp850' || encoding === 'iso-8859-15' ? "'" : '’'),
      encoding,
    )
    const [found = 'windows-1252', ...more] = likely(bytes)
    expect([encoding, more, decodeBytes(bytes, found)]).toEqual([encoding, [], decodeBytes(bytes, encoding)])
  }
})

it('the encoding ISO-8859-15 is recognised by its œ and €', () => {
  expect(likely(encoded('Le Cœur;12 €', 'iso-8859-15'))).toEqual(['iso-8859-15'])
})

it('all encodings that give French words are named, and none if none gives them', () => {
  expect(likely(Uint8Array.of(0x44, 0xd4, 0x4d, 0x45)).toSorted()).toEqual(['cp850', 'windows-1252'])
  expect(likely(Buffer.from('HÃ©lÃ¨ne;é'))).toEqual([])
})
