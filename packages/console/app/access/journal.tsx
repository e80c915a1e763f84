import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { type AuditedCall, sav } from '../api/client.js'
import { question, useRead } from '../api/read.js'
import { withQuery } from '../shell/address.js'
import { Answered, saidOf } from '../system/answered.js'
import { Badge, Time } from '../system/bits.js'
import { SelectField, TextField } from '../system/form.js'
import { sayFailed } from '../system/notices.js'
import { Empty, Page } from '../system/page.js'
import { type Column, Table } from '../system/table.js'
import { exact, milliseconds, number } from '../words/formats.js'
import { words } from '../words/words.js'
import { allKeys } from './questions.js'

interface Asked {
  readonly since?: string | undefined
  readonly key_id?: string | undefined
}

const someCalls = question((asked: Asked, signal) =>
  sav.get('/api/v1/audit', { query: { ...asked, limite: 100 }, signal }),
)

export function Journal() {
  const { query, route } = useLocation()
  const { value: keys = [] } = useRead(allKeys, 'all')
  const asked: Asked = {
    since: /^\d{4}-\d{2}-\d{2}$/.test(query['since'] ?? '') ? query['since'] : undefined,
    key_id: query['key_id'] || undefined,
  }
  const reading = useRead(someCalls, asked)
  const [older, setOlder] = useState<{ key: string; rows: readonly AuditedCall[]; curseur: string | null } | null>(null)
  const key = JSON.stringify(asked)
  const shown = older?.key === key ? older : null
  const t = words.value.journal
  const address = (change: Asked) => withQuery('/reglages/journal', { ...asked, ...change })
  const more = async (curseur: string) => {
    try {
      const { data, pagination } = await sav.get('/api/v1/audit', { query: { ...asked, limite: 100, curseur } })
      setOlder({ key, rows: [...(shown?.rows ?? []), ...data], curseur: pagination.curseur })
    } catch (error) {
      sayFailed(saidOf(error))
    }
  }
  const rows = [...(reading.value?.data ?? []), ...(shown?.rows ?? [])]
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <button type="button" class="button" onClick={() => downloadAll(asked)}>
          {t.download}
        </button>
      }
    >
      <div class="toolbar toolbar-fields">
        <SelectField
          name="key_id"
          label={t.key}
          value={asked.key_id ?? ''}
          options={[['', t.anyKey], ...keys.map(({ id, nom }) => [id, nom] as const)]}
          onChange={(key_id) => route(address({ key_id }), true)}
        />
        <TextField
          name="since"
          label={t.since}
          type="date"
          value={asked.since ?? ''}
          onChange={(since) => route(address({ since }), true)}
        />
      </div>
      <Answered reading={reading}>
        {({ pagination }) => {
          const curseur = shown ? shown.curseur : pagination.curseur
          if (rows.length === 0) return <Empty title={t.empty} />
          const nameOf = (id: string | null) => keys.find((each) => each.id === id)?.nom ?? id ?? t.nobody
          return (
            <>
              <Table name={t.title} columns={columns(nameOf)} rows={rows} keyOf={({ request_id }) => request_id} />
              {curseur !== null && (
                <div class="pages">
                  <button type="button" class="button small" onClick={() => more(curseur)}>
                    {t.more}
                  </button>
                </div>
              )}
            </>
          )
        }}
      </Answered>
    </Page>
  )
}

function columns(nameOf: (key: string | null) => string): readonly Column<AuditedCall>[] {
  const t = words.value.journal
  return [
    { key: 'when', name: t.when, cell: ({ time }) => <Time at={time}>{exact(time)}</Time> },
    {
      key: 'call',
      name: t.call,
      takesRest: true,
      cell: ({ method, endpoint, calls }) => (
        <>
          <code>{`${method} ${endpoint}`}</code>
          {calls !== undefined && calls > 1 && <span class="muted small"> {t.times(number(calls))}</span>}
        </>
      ),
    },
    { key: 'key', name: t.key, cell: ({ key_id }) => nameOf(key_id) },
    { key: 'ip', name: t.ip, cell: ({ ip }) => <span class="muted">{ip}</span> },
    {
      key: 'status',
      name: t.status,
      cell: ({ status }) => <Badge tone={status < 300 ? 'good' : status < 500 ? 'warn' : 'bad'}>{status}</Badge>,
    },
    { key: 'duration', name: t.duration, isNumber: true, cell: ({ duration_ms }) => milliseconds(duration_ms) },
  ]
}

const fields = ['time', 'ip', 'method', 'endpoint', 'key_id', 'status', 'duration_ms', 'request_id'] as const

/** So many calls are a file that a spreadsheet still opens. */
const mostDownloaded = 100_000

/** All that the filter finds, not only what is shown. */
async function downloadAll(asked: Asked): Promise<void> {
  const rows: AuditedCall[] = []
  try {
    for await (const call of sav.each('/api/v1/audit', { query: { ...asked, limite: 200 } })) {
      rows.push(call)
      if (rows.length === mostDownloaded) break
    }
    download(rows)
  } catch (error) {
    sayFailed(saidOf(error))
  }
}

/** As a spreadsheet takes it: no cell begins a formula. */
function download(rows: readonly AuditedCall[]): void {
  const cell = (value: string | number | null) => {
    const text = String(value ?? '')
    return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
  }
  const lines = [fields.join(','), ...rows.map((row) => fields.map((field) => cell(row[field])).join(','))]
  const url = URL.createObjectURL(new Blob([`\ufeff${lines.join('\r\n')}\r\n`], { type: 'text/csv' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: 'journal.csv' })
  link.click()
  URL.revokeObjectURL(url)
}
