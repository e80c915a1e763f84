import type { FailedReport } from '@sav/storage-kysely/sqlite'
import type { Context } from '../invocation/context.js'
import { exitCodes } from '../invocation/exit-codes.js'
import type { Output } from '../invocation/output.js'
import { fields, table, wrapped } from '../terminal/table.js'
import type { Terminal } from '../terminal/terminal.js'
import { version } from '../version.js'
import { examine } from './examine.js'
import type { DisabledEndpoint, RunningReplay } from './findings.js'

export async function doctor({ settings, terminal }: Context): Promise<Output> {
  const found = await examine(settings)
  const { problems, warnings, endpoints, replays, keys, reports } = found
  const facts = { version: version(), node: process.versions.node, database: settings.database.name, ...found.facts }
  const text = [
    fields(
      terminal,
      Object.entries(facts).map(([name, value]) => [name, value ?? 'none']),
    ),
    table(
      terminal,
      ['SETTING', 'FROM', 'VALUE'],
      settings.inForce.map(({ name, value, from }) => [name, from, value === '' ? null : value]),
      '',
    ),
    ...(endpoints.length === 0 ? [] : [disabledTable(terminal, endpoints)]),
    ...(replays.length === 0 ? [] : [replayTable(terminal, replays)]),
    ...(reports.length === 0 ? [] : [reportTable(terminal, reports)]),
    ...problems.map((problem) => said(terminal, 'red', 'Problem', problem)),
    ...warnings.map((warning) => said(terminal, 'yellow', 'Warning', warning)),
    problems.length === 0 ? terminal.style('green', 'All is well.') : 'Not well.',
  ].join('\n\n')
  return {
    json: {
      ok: problems.length === 0,
      ...facts,
      disabled_endpoints: endpoints,
      running_replays: replays,
      expiring_keys: keys,
      failed_reports: reports,
      settings: settings.inForce,
      problems,
      warnings,
    },
    text,
    exitCode: problems.length === 0 ? exitCodes.done : exitCodes.failed,
  }
}

function said(terminal: Terminal, colour: 'red' | 'yellow', label: string, text: string): string {
  return wrapped(`${label}: ${text}`, terminal.columns).replace(label, terminal.style(colour, label))
}

function disabledTable(terminal: Terminal, endpoints: readonly DisabledEndpoint[]): string {
  const rows = endpoints.map(({ account_id, id, disabled_at, disabled_reason }) => [
    id,
    account_id,
    disabled_at,
    disabled_reason,
  ])
  return table(terminal, ['DISABLED ENDPOINT', 'ACCOUNT', 'SINCE', 'REASON'], rows, '')
}

function replayTable(terminal: Terminal, replays: readonly RunningReplay[]): string {
  const rows = replays.map(({ account_id, id, matched, retried }) => [id, account_id, `${retried} of ${matched}`])
  return table(terminal, ['RUNNING RETRY', 'ACCOUNT', 'DONE'], rows, '')
}

function reportTable(terminal: Terminal, reports: readonly FailedReport[]): string {
  const rows = reports.map(({ account_id, reference, created_at }) => [reference, account_id, created_at])
  return table(terminal, ['FAILED REPORT', 'ACCOUNT', 'SINCE'], rows, '')
}
