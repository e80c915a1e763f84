import { expect, it } from 'vitest'
import { csvRecords } from './csv-records.js'

it('each record has its line number, even after empty lines and cells of several lines', async () => {
  async function* texts() {
    yield 'nom;texte\r\nUn;"a\r\nb"\r\n\r\n;\r\nDeux;"c\n\nd"\r\n'
    yield 'Trois;e\n'
  }
  const found: [number, string | undefined][] = []
  for await (const { line, record } of csvRecords({ name: 'x.csv', delimiter: ';' }, texts()))
    found.push([line, record[0]])
  expect(found).toEqual([
    [1, 'nom'],
    [2, 'Un'],
    [6, 'Deux'],
    [9, 'Trois'],
  ])
})
