import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { server } from '../test/emailing.js'
import { graphApi } from '../test/graph-api.js'

const run = promisify(execFile)
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

test('a lack of file descriptors throws OwnLimitError instead of failing the letter', async () => {
  const [{ port }, api] = [await server(), await graphApi()]
  onTestFinished(() => api.close())
  const command = [process.execPath, '--import', here('../../../test/source.mjs'), here('../test/short-of-files.ts')]
  const urls = [`smtp://127.0.0.1:${port}`, api.url]
  const { stdout } = await run('sh', ['-c', 'ulimit -n 100; exec "$@"', 'sh', ...command, ...urls])
  expect(JSON.parse(stdout)).toEqual(['EMFILE', 'EMFILE', 'EMFILE'])
})
