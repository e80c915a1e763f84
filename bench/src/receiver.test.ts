import { expect, test } from 'vitest'
import { countingServer } from './receiver.js'

test('a wait for so many arrivals ends with the last of them', async () => {
  const { port } = await countingServer()
  const url = `http://127.0.0.1:${port}/`
  const post = () => fetch(`${url}any/path`, { method: 'POST', body: '{}' })
  const answers: string[] = []
  const second = fetch(`${url}2`).then(async (answer) => answers.push(await answer.text()))

  expect((await post()).status).toBe(200)
  expect(await (await fetch(`${url}0`)).text()).toBe('1')
  expect(answers).toEqual([])
  await post()
  await second
  expect(answers).toEqual(['2'])
})
