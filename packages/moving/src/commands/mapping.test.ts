import { expect, it } from 'vitest'
import { typeOf } from './mapping.js'

it.each([
  ['equipe.csv', ['Nom']],
  ['equipe.csv', ['Nom', 'Couleur', 'Remarque']],
  ['poseurs.csv', ['Nom', 'Remarque', 'Camion']],
])('%s with the columns %j has poseurs', (file, headings) => {
  expect(typeOf(file, headings, {})).toBe('poseurs')
})

it.each([
  ['key.json', ['id', 'nom', 'permissions', 'secret']],
  ['tiers.csv', ['Nom']],
  ['equipe.csv', ['Nom', 'Remarque']],
])('%s with the columns %j needs --type', (file, headings) => {
  expect(() => typeOf(file, headings, {})).toThrow('Set --type to clients')
})
