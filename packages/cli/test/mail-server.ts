import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** A mail server that accepts every mail or, with `refuses`, refuses every recipient permanently. */
export async function mailServer({ refuses = false } = {}) {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) =>
      done(refuses ? Object.assign(new Error('No such user here'), { responseCode: 550 }) : null),
    async onData(stream, _session, done) {
      let text = ''
      for await (const chunk of stream) text += chunk
      mails.push(text)
      server.emit('mail')
      done()
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  onTestFinished(() => new Promise((resolve) => server.close(resolve)))
  const address = listening.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    settings: { SAV_SMTP_URL: `smtp://127.0.0.1:${port}`, SAV_MAIL_FROM: 'SAV <sav@example.com>' },
    async received(count: number): Promise<string[]> {
      while (mails.length < count) await once(server, 'mail')
      return mails
    },
  }
}
