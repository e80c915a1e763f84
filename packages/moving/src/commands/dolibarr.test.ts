import { expect, it } from 'vitest'
import { dolibarr } from './dolibarr.js'
import { plainText } from './plain-text.js'

it.each([
  [
    '<p>Elle ne ferme plus &agrave; l&#039;&eacute;t&eacute;.</p>\r\n\r\n<p>Deux<br />lignes</p>',
    "Elle ne ferme plus à l'été.\nDeux\nlignes",
  ],
  ['Jérôme &amp; fils\nCh&ecirc;ne <zoe@x.example>', 'Jérôme & fils\nChêne <zoe@x.example>'],
  ['<ul><li>vis</li><li>joint</li></ul>', '- vis\n- joint'],
  [
    '<div>Voir <a href="https://x.example">https://x.example</a><img src="data:image/png;base64,AA"></div>',
    'Voir https://x.example',
  ],
  ['<script>alert(1)</script><b>hé</b>', 'hé'],
])('the HTML %s is read as text', (html, text) => {
  expect(plainText(html)).toBe(text)
})

it.each([
  'Jeu < 3 mm > 1 mm',
  'R&D ; à voir',
  'Zoé <zoe@x.example>',
  'De : Paul <p.durand@x.example>, <b@x.example>',
  ' deux\n\n  lignes ',
])('the text %s, which is not HTML, stays unchanged', (text) => {
  expect(plainText(text)).toBe(text)
})

it('HTML that is nested to any depth is read', () => {
  expect(plainText('<div>'.repeat(10_000))).toMatch(/^\W*$/)
})

it('HTML with too many tags is refused', () => {
  for (const shape of ['<p>a', '<br>', '<table><tr><td>', '</b>'])
    expect(() => plainText(`<p>${shape.repeat(10_000)}`)).toThrow(/HTML of more than 10000 tags/)
})

it('a table row is read as one line, whatever spans its cells declare', () => {
  const row = '<tr><td colspan="&#49;000000000">Pièce</td><td rowspan="1000000000">Prix</td></tr>'
  expect(plainText(`<table>${row.repeat(2)}</table>`)).toBe('Pièce Prix\nPièce Prix')
})

it.each([
  ['Alice Durand', 'Alice', 'Durand'],
  ['Jean-Pierre de La Tour', 'Jean-Pierre', 'de La Tour'],
  ['DURAND Alice', 'Alice', 'DURAND'],
  ['Alice Marie DURAND PETIT', 'Alice Marie', 'DURAND PETIT'],
  ['ALICE DURAND', 'ALICE', 'DURAND'],
  ['Mme Alice Durand', 'Alice', 'Durand'],
  ['Mme Durand', undefined, 'Mme Durand'],
  ['M. et Mme Durand', undefined, 'M. et Mme Durand'],
  ['Madeleine Durand', 'Madeleine', 'Durand'],
])('%s of type “Particulier” is a person with the first name %s and the name %s', (name, prenom, nom) => {
  const read = (fields: object) => dolibarr.clients?.row?.({ nom: name, ...fields })
  for (const type_tiers of ['Particulier', 'TE_PRIVATE', 'Private individual'])
    expect(read({ type_tiers })).toEqual({ nom, ...(prenom && { prenom }) })
  expect(read({ type_tiers: 'PME/PMI' })).toEqual({ nom: name })
  expect(read({ type_tiers: 'Particulier', prenom: 'Zoé' })).toEqual({ nom: name, prenom: 'Zoé' })
  expect(read({})).toEqual({ nom: name })
})
