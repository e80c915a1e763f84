// Uses up its file descriptors, then posts to the URLs in its arguments, and prints each outcome.
import { openSync } from 'node:fs'
import { OwnLimitError } from '@sav/core/adapter'
import { createSender } from '../src/sender/sender.js'

const [, , nameServer = '', ...urls] = process.argv
const from = createSender({ userAgent: 'sav', allowLocal: true, nameServers: [nameServer] })
const post = (url: string) => from.post({ account_id: 'default', url, headers: {}, body: '{}', timeoutMs: 5000 })

// Node.js loads some modules at first use, which needs descriptors.
await post(urls[0] ?? '')
process.stdout.write('')
try {
  for (;;) openSync('/dev/null', 'r')
} catch {
  const outcomes = urls.map((url) =>
    post(url).then(
      ({ errorCode }) => errorCode,
      (error: unknown) => (error instanceof OwnLimitError ? error.limit : String(error)),
    ),
  )
  process.stdout.write(JSON.stringify(await Promise.all(outcomes)))
  process.exit()
}
