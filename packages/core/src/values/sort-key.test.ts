import { expect, it } from 'vitest'
import { seededRandom } from '../testing/seeded-random.js'
import { sortKey } from './sort-key.js'

const { compare } = new Intl.Collator('fr')

/** Compares keys as a database compares text. */
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(sortKey(a)), Buffer.from(sortKey(b)))

it('sorts names as a French dictionary does', () => {
  const names = ['Zola', 'de Vigny', 'Éluard', 'eluard', 'Œuvrard', 'Oetker', 'd’Arc', 'Dupont']
  expect(names.toSorted(byBytes)).toEqual(names.toSorted(compare))
  expect(['cote', 'côté', 'coté', 'côte'].toSorted(byBytes)).toEqual(['cote', 'coté', 'côte', 'côté'])
})

it('orders French texts as the collator does', () => {
  const random = seededRandom(1)
  const alphabet = [...'aAbBeEéèêëÉÈçÇœŒæoOuUùüÿnñzZ019 -’\'.,&()/°«»"!?€…ø']
  const text = () => [...random((random(1)[0] ?? 0) % 7)].map((byte) => alphabet[byte % alphabet.length]).join('')
  for (let round = 0; round < 20_000; round += 1) {
    const [a, b] = [text(), text()]
    expect([a, b, Math.sign(byBytes(a, b))]).toEqual([a, b, compare(a, b)])
  }
})

it('compares first texts, and second texts only if the first ones are equal', () => {
  const keys = [sortKey('Élu', 'Anne'), sortKey('Elu', 'Zoé'), sortKey('Eluard', 'Anne')]
  expect(keys.toSorted()).toEqual([keys[1], keys[0], keys[2]])
})

it('fits into a database index, and is well-formed', () => {
  for (const sign of ['Ж', '東', '🚪', 'ﷺ', '-', 'x🚪']) {
    const key = sortKey(sign.repeat(120), sign.repeat(120))
    expect(key.isWellFormed()).toBe(true)
    expect(Buffer.byteLength(key)).toBeLessThanOrEqual(2400)
  }
})
