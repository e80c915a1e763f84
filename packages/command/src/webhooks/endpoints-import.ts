import { ConflictError, type EndpointView, ValidationError, type Write } from '@sav/core'
import type { Transaction } from '@sav/core/ports'
import type { EventKind } from '@sav/webhook-verify'
import type { Context, OpenedAccount } from '../invocation/context.js'
import { type NamedProblem, usageError } from '../process/command-error.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { jsonFile } from '../syntax/input-file.js'
import { counted, oneLine } from '../terminal/terminal.js'
import { type OtherEndpoint, otherEndpoints } from './other-sender.js'

export interface ImportEndpointsOptions {
  readonly events?: readonly string[]
  readonly all_events?: boolean
  readonly dry_run?: boolean
}

type Kinds = readonly EventKind[]

/** The outcome of the import for one endpoint. */
type Outcome =
  | { readonly outcome: 'added' | 'unchanged'; readonly endpoint: EndpointView }
  | { readonly outcome: 'refused'; readonly problems: readonly NamedProblem[] }

type ReportedOutcome = Outcome & { readonly other: OtherEndpoint; readonly leftOut: readonly string[] }

/**
 * Imports the receivers of Svix or Convoy, with their existing secrets. Refused receivers are listed; all others are
 * added in one transaction.
 */
export async function importEndpoints(
  context: Context,
  file: string,
  options: ImportEndpointsOptions,
): Promise<Output> {
  if (context.remote !== null)
    throw usageError('sav webhooks import works on the store itself: run it on the machine of the store.')
  const account = await context.openAccount()
  const kinds = await context.eventKinds()
  const chosen = chosenKinds(options, kinds)
  const others = otherEndpoints(file, await jsonFile(context, '<file>', file))
  const told = await takeOver(account, others, { chosen, kinds, dryRun: options.dry_run ?? false })
  const isRefused = told.some(({ outcome }) => outcome === 'refused')
  const json = { dry_run: options.dry_run ?? false, endpoints: told.map(asJson) }
  const text = [...told.map((each) => asText(each, kinds)), summary(told, options.dry_run ?? false)].join('\n\n')
  return { json, text, ...(isRefused && { exitCode: exitCodes.failed }) }
}

const among =
  (kinds: Kinds) =>
  (name: string): name is EventKind =>
    kinds.some((kind) => kind === name)

/** The kinds of events that all endpoints get; null if each gets those that the file names for it. */
function chosenKinds({ events, all_events }: ImportEndpointsOptions, kinds: Kinds): Kinds | null {
  if (all_events) return kinds
  const isKind = among(kinds)
  const unknown = (events ?? []).filter((name) => !isKind(name))
  if (unknown.length > 0) throw usageError(`--events ${unknown.join(',')}: the kinds are ${kinds.join(', ')}.`)
  return events?.filter(isKind) ?? null
}

/** Thrown at the end of a `--dry-run`, to roll its transaction back. It carries the outcomes. */
class DryRunEnd extends Error {
  readonly told: readonly ReportedOutcome[]

  constructor(told: readonly ReportedOutcome[]) {
    super('pretended')
    this.told = told
  }
}

interface How {
  readonly chosen: Kinds | null
  /** All kinds of events of the store's service. */
  readonly kinds: Kinds
  readonly dryRun: boolean
}

type Account = Pick<OpenedAccount, 'sav' | 'actor' | 'account_id' | 'record'>

async function takeOver(
  account: Account,
  others: readonly OtherEndpoint[],
  { dryRun, ...how }: How,
): Promise<readonly ReportedOutcome[]> {
  const steps = await Promise.all(others.map((other) => stepOf(account, other, how)))
  const all: Write<ReportedOutcome[]> = {
    async write(tx) {
      const told: ReportedOutcome[] = []
      for (const { about, done } of steps) told.push({ ...about, ...(await done(tx).catch(refusal)) })
      if (dryRun) throw new DryRunEnd(told)
      return told
    },
  }
  try {
    return await account.sav.perform(all)
  } catch (error) {
    if (error instanceof DryRunEnd) return error.told
    throw error
  }
}

/**
 * Prepares the import of one endpoint. `done` adds it in the common transaction; if it is refused, `done` only reports
 * that.
 */
async function stepOf(
  { sav, actor, account_id, record }: Account,
  other: OtherEndpoint,
  { chosen, kinds }: Omit<How, 'dryRun'>,
) {
  const isKind = among(kinds)
  const { url, description, headers, secret, isDisabled } = other
  const events = chosen ?? other.kinds?.filter(isKind) ?? []
  const leftOut = chosen === null ? (other.kinds ?? []).filter((name) => !isKind(name)) : []
  const input = { url, description, headers: { ...headers }, events: [...events], secret: secret ?? '' }
  const taking = sav.writes.endpoints.takeOver(actor, input)
  const missing = missingOf(other, events)
  const problems = [...missing]
  const prepared = await taking.prepare?.().catch((error: unknown) => {
    const isTold = ({ field }: NamedProblem) => missing.some((each) => each.field === field)
    problems.push(...problemsOf(error).filter((each) => !isTold(each)))
  })
  const done = async (tx: Transaction): Promise<Outcome> => {
    if (problems.length > 0) return { outcome: 'refused', problems }
    const { endpoint, isNew } = await taking.write(tx, prepared)
    if (!isNew) return { outcome: 'unchanged', endpoint }
    await record(tx, { account_id, target: `endpoint:${endpoint.id}` })
    const disabling = sav.writes.endpoints.disable(actor, endpoint.id)
    return { outcome: 'added', endpoint: isDisabled ? await disabling.write(tx, undefined) : endpoint }
  }
  return { about: { other, leftOut }, done }
}

const refusal = (error: unknown): Outcome => ({ outcome: 'refused', problems: problemsOf(error) })

/** The problems of an endpoint that come from missing or unsupported parts, not from the value of a field. */
function missingOf({ kinds, secret, authentication }: OtherEndpoint, events: Kinds): NamedProblem[] {
  const which = 'choose events with --events or --all-events'
  const names = kinds === null ? 'the file names no events' : `none of ${kinds.join(', ')} exists here`
  return [
    ...(secret === null ? [{ field: 'secret', message: 'the file has no secret for this endpoint' }] : []),
    ...(authentication === null
      ? []
      : [{ field: 'authentication', message: `${authentication} is not supported here` }]),
    ...(events.length === 0 ? [{ field: 'events', message: `${names}: ${which}` }] : []),
  ]
}

/**
 * The problems that a refusal reports.
 * @throws any other error
 */
function problemsOf(error: unknown): readonly NamedProblem[] {
  if (error instanceof ValidationError) return error.details
  if (error instanceof ConflictError) return [{ field: 'url', message: error.message }]
  throw error
}

const names = ['id', 'timestamp', 'signature'] as const
const ours = names.map((name) => `webhook-${name}`)
const theirs = { svix: names.map((name) => `svix-${name}`), convoy: ['x-convoy-signature'] }

/** What a receiver must change in its code, by the sender from which it comes. */
const changes = {
  svix: `${theirs.svix.join(', ')} become ${ours.join(', ')}; Svix's library accepts both, and needs no change`,
  convoy: `X-Convoy-Signature becomes ${ours.join(', ')}, which a Standard Webhooks library verifies with the same secret`,
}
const body = '{ event, timestamp, data }, whatever the other sender sent: see docs/reference/events.md'

function asText(told: ReportedOutcome, every: Kinds): string {
  const { other, outcome, leftOut } = told
  const url = oneLine(other.url)
  if (told.outcome === 'refused')
    return [
      `refused ${url} (${oneLine(other.id)})`,
      ...told.problems.map(({ field, message }) => `${field}: ${message}`),
    ]
      .map(oneLine)
      .join('\n  ')
  const { id, events, disabled_at } = told.endpoint
  const kinds = every.every((kind) => events.includes(kind)) ? `all of the ${every.length} kinds` : events.join(', ')
  return [
    `${outcome} ${url} (${id}${disabled_at === null ? '' : ', disabled'}): ${kinds}`,
    ...(leftOut.length > 0 ? [`Left out, since they do not exist here: ${leftOut.map(oneLine).join(', ')}`] : []),
    `Headers: ${changes[other.sender]}`,
    `Body: ${body}`,
  ].join('\n  ')
}

function asJson(told: ReportedOutcome): unknown {
  const { other, outcome, leftOut } = told
  const of = { source: other.sender, source_id: other.id, url: other.url, outcome }
  if (told.outcome === 'refused') return { ...of, problems: told.problems }
  const { id, events, disabled_at } = told.endpoint
  return {
    ...{ ...of, id, events, disabled_at, left_out: leftOut },
    receiver: { headers: { from: theirs[other.sender], to: ours }, body: ['event', 'timestamp', 'data'] },
  }
}

function summary(told: readonly ReportedOutcome[], dryRun: boolean): string {
  const count = (outcome: ReportedOutcome['outcome']) => told.filter((each) => each.outcome === outcome).length
  const added = counted(count('added'), 'endpoint')
  const parts = [
    dryRun ? `${added} would be added` : `${added} added`,
    `${count('unchanged')} unchanged`,
    `${count('refused')} refused`,
  ]
  return `${parts.join(', ')}.`
}
