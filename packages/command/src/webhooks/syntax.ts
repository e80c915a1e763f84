import { deliveryStates } from '@sav/core/names'
import { Argument } from 'commander'
import type { Act } from '../invocation/action.js'
import type { CommandGroup, Offered } from '../invocation/command-group.js'
import { type FieldCommand, FieldOption } from '../syntax/field-command.js'
import { changing, everyAccount, everyOlder, listing, reaching, widened } from '../syntax/options.js'
import { header, integer, port, seconds, sinceWhen } from '../syntax/values.js'

const noteOf = (kinds: readonly string[]) => `Kinds of events: ${kinds.join(', ')}`

/** Endpoints, deliveries and a receiver for development. */
export const webhookCommands: CommandGroup = { heading: 'Webhooks:', add: addWebhookCommands }

function addWebhookCommands(program: FieldCommand, act: Act, { kinds }: Offered): void {
  const webhooks = program.declare('webhooks', 'signed notifications to receivers')
  addEndpointCommands(webhooks, act, kinds)
  addDeliveryCommands(webhooks, act, kinds)
  addDevelopmentCommands(webhooks, act, kinds)
}

function addEndpointCommands(webhooks: FieldCommand, act: Act, kinds: readonly string[]): void {
  const events = new FieldOption('--events <list>', 'such as sav.created,sav.closed').listOf(kinds)
  const allEvents = new FieldOption('--all-events', `all of the ${kinds.length} kinds`).conflicts('events')
  reaching(webhooks, 'add <url>', 'add an endpoint; its signing secret is shown once')
    .addOption(events)
    .addOption(allEvents)
    .option('--description <text>', 'a note for people')
    .option('--header <header>', "a header to send with each delivery, as 'Name: value'; may be repeated", header)
    .note(
      'A receiver has an https URL at a public address; for local development, SAV_WEBHOOK_ALLOW_LOCAL=1 accepts http and private addresses too.',
    )
    .note(noteOf(kinds))
    .examples(
      'sav webhooks add https://example.com/hooks --events sav.created,sav.closed',
      "sav webhooks add https://example.com/hooks --all-events --header 'X-Token: abc'",
    )
    .action(act(async () => (await import('./endpoints.js')).addEndpoint))
  webhooks
    .declare('import <file>', 'take over endpoints of Svix or Convoy with their secrets; safe to run again')
    .addOption(events)
    .addOption(allEvents)
    .option('--dry-run', 'write nothing, and show what would happen to each endpoint')
    .note(
      'The file is JSON: an array, or { "data": [ … ] }, of endpoints as the other API lists them, each with its secret. - reads standard input. docs/moving.md shows the two calls that give it. Without --events, an endpoint gets those events of its filterTypes that exist here. Refused endpoints are named, the others are added; exit 1 if one was refused.',
    )
    .note(noteOf(kinds))
    .examples('sav webhooks import svix.json --dry-run', 'sav webhooks import convoy.json --all-events')
    .action(act(async () => (await import('./endpoints-import.js')).importEndpoints))
  listing(reaching(webhooks, 'list', 'endpoints, oldest first')).action(
    act(async () => (await import('./endpoints.js')).listEndpoints),
  )
  reaching(webhooks, 'health [id]', 'how the receivers of endpoints answer, and how many deliveries wait for each')
    .addOption(everyAccount())
    .note(
      'STATE is the first of these that applies. desactive: the endpoint is disabled. en_echec: the last five attempts failed, or all attempts of the last five minutes. ralenti: at least half of the attempts of the last hour failed. ok: none of these, also before the first attempt.',
    )
    .action(act(async () => (await import('./health.js')).endpointHealth))
  changing(webhooks.declare('update <id>', 'change the given fields; a new URL also applies to waiting deliveries'))
    .option('--url <url>', 'the new URL of the receiver; to name a service for this command, use SAV_URL or --profile')
    .addOption(events)
    .addOption(allEvents)
    .option('--description <text>', "a note for people; '' for none")
    .option('--header <header>', "replaces all headers, as 'Name: value'; may be repeated", header)
    .option('--no-header', 'remove all headers')
    .note(noteOf(kinds))
    .action(act(async () => (await import('./endpoints.js')).updateEndpoint))
  reaching(webhooks, 'disable <id>', 'stop sending to an endpoint; its deliveries wait, at most 30 days').action(
    act(async () => (await import('./endpoints.js')).disableEndpoint),
  )
  reaching(webhooks, 'enable <id>', 'send to an endpoint again, waiting deliveries first').action(
    act(async () => (await import('./endpoints.js')).enableEndpoint),
  )
  reaching(webhooks, 'remove <id>', 'remove an endpoint: waiting deliveries fail, its history stays')
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('./endpoints.js')).removeEndpoint))
  reaching(webhooks, 'rotate-secret <id>', 'make a new signing secret; it is shown once')
    .addOption(
      new FieldOption('--overlap <duration>', 'how long the old secret still signs (default: 24h)').argParser(seconds),
    )
    .addOption(new FieldOption('--now', 'end the old secret at once, because it has leaked').conflicts('overlap'))
    .action(act(async () => (await import('./endpoints.js')).rotateSecret))
  reaching(webhooks, 'test <id>', 'send a webhook.test to one endpoint')
    .option('--wait', 'wait for the answer; exit 1 unless it is a success')
    .action(act(async () => (await import('./endpoints.js')).testEndpoint))
}

const filtered = (
  command: FieldCommand,
  { states, kinds }: { readonly states: string; readonly kinds: readonly string[] },
) =>
  command
    .addOption(new FieldOption('--state <state>', states).choices(deliveryStates))
    .option('--endpoint <id>', 'only deliveries to this endpoint')
    .addOption(new FieldOption('--event <kind>', 'only deliveries of this kind').choices([...kinds, 'webhook.test']))
    .option(
      '--since <time>',
      'created from this time (ISO 8601) or day (YYYY-MM-DD) on, or from this long ago (2h)',
      sinceWhen,
    )

function addDeliveryCommands(webhooks: FieldCommand, act: Act, kinds: readonly string[]): void {
  filtered(listing(reaching(webhooks, 'history', 'deliveries, newest first')), { states: 'only in this state', kinds })
    .option('--limit <n>', 'at most this many, 1 to 1000 (default: 50)', integer)
    .addOption(everyOlder)
    .addOption(everyAccount().conflicts(['all', 'follow']))
    .addOption(
      new FieldOption('--follow', 'show new and changed deliveries, until Ctrl-C').conflicts(['limit', 'fields']),
    )
    .examples('sav webhooks history --state failed --since 2026-01-15 --event sav.closed')
    .action(act(async () => (await import('./deliveries.js')).deliveryHistory))
  widened(reaching(webhooks, 'show <delivery>', 'one delivery with every attempt'))
    .option('--body', 'show the body as well')
    .option('--curl', 'print a curl command that sends it again, signed now with SAV_WEBHOOK_SECRET')
    .action(act(async () => (await import('./deliveries.js')).showDelivery))
  const retry = 'send deliveries again: the given ones in any state, or all that match the options'
  filtered(reaching(webhooks, 'retry [delivery...]', retry), { states: 'only in this state (default: failed)', kinds })
    .addOption(everyAccount().conflicts('cancel'))
    .option('--dry-run', 'only count them')
    .option('--yes', 'do not ask')
    .option('--cancel <id>', 'stop a running retry of all matching deliveries, by its id (rpl_…)')
    .note(
      'A retry is called a replay in the API (…/rejouer) and in JSON. A retry of all matching deliveries continues after this command has ended: it is in the store, and workers carry it out.',
    )
    .examples(
      'sav webhooks retry --dry-run',
      'sav webhooks retry --state failed --since 2026-01-15 --endpoint wh_…',
      'sav webhooks retry dlv_…',
    )
    .action(act(async () => (await import('./deliveries-retry.js')).retryDeliveries))
}

function addDevelopmentCommands(webhooks: FieldCommand, act: Act, kinds: readonly string[]): void {
  reaching(webhooks, 'trigger', 'send an example of a kind of event')
    .addArgument(new Argument('<kind>', 'such as sav.closed').choices(kinds))
    .option('--endpoint <id>', 'only to this endpoint, even if it did not choose the kind (default: all that chose it)')
    .option('--yes', 'send to other machines without asking')
    .note(noteOf(kinds))
    .action(act(async () => (await import('./trigger.js')).trigger))
  webhooks
    .declare('verify <file>', 'check a webhook that was saved in a file, and say what is wrong; - reads standard input')
    .option('--secret <secret>', 'signing secret; better in SAV_WEBHOOK_SECRET, which other users cannot see')
    .note(
      'The file holds the headers of the request, an empty line and the body to the last byte, or JSON { "headers": { … }, "body": "…" }. Its age is shown, but is no error. Exit 1 unless it was signed with that secret.',
    )
    .action(act(async () => (await import('./verify-capture.js')).verifyCapture))
  reaching(webhooks, 'listen', 'a receiver for development: verifies and shows each webhook, until Ctrl-C')
    .option('--port <port>', 'port on 127.0.0.1; 0 picks a free one', port, 8081)
    .option(
      '--secret <secret>',
      'secret of an existing endpoint; better in SAV_WEBHOOK_SECRET (default: add an endpoint)',
    )
    .option('--forward-to <url>', 'pass verified webhooks on to this address, and return its answers')
    .examples(
      'export SAV_WEBHOOK_ALLOW_LOCAL=1    # here and for `sav serve`',
      'sav webhooks listen --forward-to http://127.0.0.1:3000/hooks',
      'sav webhooks trigger sav.closed',
    )
    .action(act(async () => (await import('./listen.js')).listen))
}
