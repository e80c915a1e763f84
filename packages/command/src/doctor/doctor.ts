import { resolve } from 'node:path'
import type { FailedReport } from '@sav/storage-kysely/sqlite'
import type { Context } from '../invocation/context.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { refuseRemote } from '../settings/remote.js'
import { type PeopleTime, peopleTime } from '../terminal/people-time.js'
import { fields, table, wrapped } from '../terminal/table.js'
import { counted, type Terminal } from '../terminal/terminal.js'
import { version } from '../version.js'
import { examine } from './examine.js'
import { type DisabledEndpoint, type Findings, namedAtMost, type RunningReplay } from './findings.js'

export interface DoctorOptions {
  /** Backup files whose seals are verified. */
  readonly backup?: readonly string[]
}

export async function doctor({ settings, terminal, cwd }: Context, { backup = [] }: DoctorOptions): Promise<Output> {
  refuseRemote(settings)
  const backups = backup.map((file) => resolve(cwd, file))
  const found = await examine(settings, backups)
  const { problems, warnings, endpoints, receivers, replays, keys, reports } = found
  const local = peopleTime({ settings })
  // The settings file and the store are shown first: if they are not those of the service, the other facts mean
  // nothing.
  const looked = { settings_file: settings.file?.path ?? null, database: settings.database.name }
  const facts = { ...looked, version, node: process.versions.node, ...found.facts }
  const text = [
    fields(
      terminal,
      Object.entries(facts).map(([name, value]) => [name, shownFact(local, value)]),
    ),
    table(
      terminal,
      ['SETTING', 'FROM', 'VALUE'],
      settings.inForce.map(({ name, value, from }) => [name, from, value === '' ? null : value]),
      '',
    ),
    ...(endpoints.length === 0 ? [] : [disabledTable(terminal, local, endpoints)]),
    ...(replays.length === 0 ? [] : [replayTable(terminal, replays)]),
    ...(reports.length === 0 ? [] : [reportTable(terminal, local, reports)]),
    ...problems.map((problem) => said(terminal, 'red', 'Problem', problem)),
    ...warnings.map((warning) => said(terminal, 'yellow', 'Warning', warning)),
    ending(terminal, found),
  ].join('\n\n')
  return {
    json: {
      ok: problems.length === 0,
      ...facts,
      disabled_endpoints: endpoints,
      troubled_receivers: receivers,
      running_replays: replays,
      expiring_keys: keys,
      failed_reports: reports,
      settings: settings.inForce,
      problems,
      warnings,
    },
    text,
    exitCode: problems.length === 0 ? exitCodes.done : found.exitCode,
  }
}

function ending(terminal: Terminal, { problems, warnings }: Pick<Findings, 'problems' | 'warnings'>): string {
  if (problems.length > 0)
    return `Found ${counted(problems.length, 'problem')} and ${counted(warnings.length, 'warning')}.`
  if (warnings.length === 0) return terminal.style('green', 'All is well.')
  return `No problem, but ${counted(warnings.length, 'warning')}.`
}

/** The value of a fact for the text output, with instants in local time. JSON keeps them as they are. */
function shownFact(local: PeopleTime, value: string | number | null): string | number {
  if (value === null) return 'none'
  return isInstant.test(String(value)) ? local.zoned(String(value)) : value
}

const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function said(terminal: Terminal, colour: 'red' | 'yellow', label: string, text: string): string {
  return wrapped(`${label}: ${text}`, terminal.columns).replace(label, terminal.style(colour, label))
}

function disabledTable(terminal: Terminal, local: PeopleTime, endpoints: readonly DisabledEndpoint[]): string {
  const rows = endpoints
    .slice(0, namedAtMost)
    .map(({ account_id, id, disabled_at, disabled_reason }) => [id, account_id, local.at(disabled_at), disabled_reason])
  const shown = table(terminal, ['DISABLED ENDPOINT', 'ACCOUNT', `SINCE (${local.timeZone})`, 'REASON'], rows, '')
  return andMore(shown, endpoints)
}

/** Adds to a table how many rows it leaves out. */
const andMore = (shown: string, all: readonly unknown[]): string =>
  all.length > namedAtMost ? `${shown}\n… and ${all.length - namedAtMost} more: --json has them all` : shown

function replayTable(terminal: Terminal, replays: readonly RunningReplay[]): string {
  const rows = replays
    .slice(0, namedAtMost)
    .map(({ account_id, id, matched, retried }) => [id, account_id, `${retried} of ${matched}`])
  return andMore(table(terminal, ['RUNNING RETRY', 'ACCOUNT', 'DONE'], rows, ''), replays)
}

function reportTable(terminal: Terminal, local: PeopleTime, reports: readonly FailedReport[]): string {
  const rows = reports.map(({ account_id, reference, created_at }) => [reference, account_id, local.at(created_at)])
  return table(terminal, ['FAILED REPORT', 'ACCOUNT', `SINCE (${local.timeZone})`], rows, '')
}
