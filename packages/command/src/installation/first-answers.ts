import type { AccountInput } from '@sav/core'
import { createKey } from '../access/keys.js'
import type { Asked, Context } from '../invocation/context.js'
import { failureOf } from '../process/failures.js'
import { oneLine } from '../terminal/terminal.js'

/**
 * Asks for the first data of a new store. Every question can be skipped. Resolves to sentences about what was set up.
 */
export async function firstAnswers(context: Context): Promise<string[]> {
  const { askFor, ask, stderr, remote } = context
  // If the settings name a service, the API would change the service's store instead of the new one.
  if (askFor === null || ask === null || remote !== null) return []
  const said: string[] = []

  /** Repeats a question whose answer was refused, with the reason. */
  const asked: Asked = async (question, use) => {
    for (;;) {
      const answer = await askFor?.(question)
      if (!answer) return null
      try {
        return await use(answer)
      } catch (error) {
        stderr.write(`${oneLine(failureOf(error).message)}\n`)
      }
    }
  }

  stderr.write('A few questions about the account `default`; Enter skips one.\n')
  const api = await context.api()
  const update = (body: AccountInput) => api.put('/api/v1/compte', { body })
  await asked('Company name, as reports print it:', (raison_sociale) => update({ raison_sociale }))
  await asked('E-mail address for notices:', (email) => update({ email }))
  for (const firstQuestion of context.firstQuestions) {
    const became = await firstQuestion(context, asked)
    if (became) said.push(became)
  }
  if (await ask('Make an API key for a site now?')) {
    const key = await createKey(context, { name: 'site', permissions: ['sav:read', 'sav:write'], expires: 365 })
    said.push(key.text)
  }
  return said
}
