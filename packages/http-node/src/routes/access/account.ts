import type { AccountView } from '@sav/core'
import { inputs, shapes } from '@sav/core/adapter'
import { ok } from '../declaration/answers.js'
import { readRoute, withResult, writeRoute } from '../declaration/declare.js'

const path = '/api/v1/compte'

const shown = ({ logo, created_at: _, desactive_le: __, ...view }: AccountView) => ({ ...view, logo: logo !== null })

/** The details of an account, and its state. */
export const accountRoutes = [
  readRoute({
    path,
    name: 'getAccount',
    summary: 'Read the account',
    permission: 'sav:read',
    answers: ok(shapes.account, 'The account.'),
    handle: async ({ sav, actor }) => shown(await sav.accounts.get(actor.account_id)),
  }),
  writeRoute({
    method: 'PUT',
    path,
    name: 'updateAccount',
    summary: 'Change the account',
    description: 'Replaces the given fields. A logo is a data URI; null removes it.',
    permission: 'admin',
    body: inputs.account,
    example: { raison_sociale: 'Cuisines Petit', siret: '12345678900011' },
    answers: ok(shapes.account, 'The account as it is now.'),
    write: ({ writes, actor, body }) => withResult(writes.accounts.update(actor, body), shown),
  }),
  readRoute({
    path: '/api/v1/sante',
    name: 'getHealth',
    summary: 'Read the health of deliveries, and the service’s delivery channels',
    permission: 'webhooks:read',
    answers: ok(shapes.deliveryHealth, 'How many deliveries are waiting, how the others ended, and the channels.'),
    handle: ({ sav, actor }) => sav.webhooks.deliveries.health(actor.account_id),
  }),
]
