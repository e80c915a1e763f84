import { expect, it } from 'vitest'
import { typeOf } from './mapping.js'

it.each([
  ['equipe.csv', ['Nom']],
  ['equipe.csv', ['Nom', 'Couleur', 'Remarque']],
  ['poseurs.csv', ['Nom', 'Remarque', 'Camion']],
])('the file %s with the columns %j is read as poseurs', (file, headings) => {
  expect(typeOf(file, headings, {})).toBe('poseurs')
})

it.each([
  ['key.json', ['id', 'nom', 'permissions', 'secret']],
  ['tiers.csv', ['Nom']],
  ['equipe.csv', ['Nom', 'Remarque']],
])('the file %s with the columns %j needs --type', (file, headings) => {
  expect(() => typeOf(file, headings, {})).toThrow('Set --type to clients')
})
