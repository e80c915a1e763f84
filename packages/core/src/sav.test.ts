import { expect, it } from 'vitest'
import { openSav } from '../test/open-sav.js'

const description = 'La porte du meuble bas ne ferme plus.'

it('the service works inside the caller’s own transaction, on the given storage', async () => {
  const [here, there] = [await openSav(), await openSav()]
  const inside = here.sav.inTransaction(there.storage)
  const { id } = await inside.cases.create(there.actor, { client_id: there.client.id, description })
  expect(await there.sav.cases.get('default', id)).toMatchObject({ description })
  expect(await here.sav.cases.list('default', {})).toMatchObject({ total: 0 })
})
