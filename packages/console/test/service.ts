import { Readable, Writable } from 'node:stream'
import { local, run, unattended, type Workplace } from '../../cli/test/workplace.js'

/** A running `sav serve`. */
export interface Service {
  readonly url: string
  /** Stops the service as an operator does. */
  stop(): Promise<void>
}

/** Starts the service in a separate process. */
export async function serveApart(workplace: Workplace): Promise<Service> {
  const started = workplace.serve()
  return {
    url: await started.url(),
    async stop() {
      await started.kill('SIGTERM')
    },
  }
}

/** Starts the service in this process, which takes a third of the time. */
export async function serveHere({ dir, settings }: Workplace): Promise<Service> {
  const listening = Promise.withResolvers<string>()
  const stopped = Promise.withResolvers<void>()
  let failure = ''
  const ended = run(['serve', '--port', '0'], {
    ...unattended,
    env: { ...settings, ...local, SAV_LOG_LEVEL: 'error' },
    cwd: dir,
    stdin: () => Readable.from([]),
    stdout: linesTo((line) => {
      const [, url] = /^listening on (http:\S+)$/.exec(line) ?? []
      if (url !== undefined) listening.resolve(url)
    }),
    stderr: linesTo((line) => {
      failure += `${line}\n`
    }),
    untilStopped: () => stopped.promise,
  })
  void ended.then((code) => listening.reject(new Error(`sav serve: exit ${code}: ${failure}`)))
  const url = await listening.promise
  return {
    url,
    async stop() {
      stopped.resolve()
      const code = await ended
      if (code !== 0) throw new Error(`sav serve: exit ${code}: ${failure}`)
    },
  }
}

/** A stream that passes each line to `take`. The command writes only whole lines in each chunk. */
const linesTo = (take: (line: string) => void) =>
  new Writable({
    write(chunk, _, done) {
      for (const line of String(chunk).split('\n')) if (line !== '') take(line)
      done()
    },
  })
