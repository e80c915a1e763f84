import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { type ProgressLine, progressLine } from './progress-line.js'

function written(isTTY: boolean, work: (line: ProgressLine) => void): string {
  let text = ''
  const stderr = new Writable({
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  work(progressLine({ stderr: Object.assign(stderr, { isTTY }), env: {} }))
  return text
}

it('a progress line rewrites itself on a terminal, and ends with or without its last text', () => {
  const shown = (line: ProgressLine) => {
    line.show('100 of 200')
    line.show('200 of 200')
    line.keep()
    line.show('checked: 7')
    line.clear()
  }
  expect(written(true, shown)).toBe('\r\u001b[K100 of 200\r\u001b[K200 of 200\n\r\u001b[Kchecked: 7\r\u001b[K')
  expect(written(false, shown)).toBe('')
})
