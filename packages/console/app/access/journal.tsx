import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { type AuditedCall, type AuditFilter, sav } from '../api/client.js'
import { question, useRead } from '../api/read.js'
import { withQuery } from '../session/address.js'
import { isDate } from '../session/zone.js'
import { Answered, saidOf } from '../system/answered.js'
import { Badge, CopyButton, Time } from '../system/bits.js'
import { downloadRows } from '../system/download.js'
import { CheckField, SelectField, TextField } from '../system/form.js'
import { sayFailed } from '../system/notices.js'
import { Empty, Page } from '../system/page.js'
import { MoreRows, useRows } from '../system/rows.js'
import { type Column, Table } from '../system/table.js'
import { allUsers } from '../users/questions.js'
import { actOfPage } from '../words/act-names.js'
import { acts as en } from '../words/en/acts.js'
import { exact, milliseconds, number } from '../words/formats.js'
import { acts as fr } from '../words/fr/acts.js'
import { language, words } from '../words/words.js'
import { targetOf } from './objects.js'
import { allKeys } from './questions.js'

const someCalls = question((asked: AuditFilter, signal) =>
  sav.get('/api/v1/audit', { query: { ...asked, noms: 'true', limite: 100 }, signal }),
)

const none: readonly NamedCaller[] = []

interface NamedCaller {
  readonly id: string
  readonly nom: string
}

/** The caller of a call: a key, a user, or the command line. */
type Caller = Pick<AuditedCall, 'key_id' | 'user_id' | 'method'>

export function Journal() {
  const { query, route } = useLocation()
  const { value: keys = none } = useRead(allKeys, 'all')
  const { value: users = none } = useRead(allUsers, 'all')
  const asked: AuditFilter = {
    since: isDate(query['since']) ? query['since'] : undefined,
    until: isDate(query['until']) ? query['until'] : undefined,
    key_id: query['key_id'] || undefined,
    user_id: query['user_id'] || undefined,
    writes: query['lectures'] === undefined ? 'true' : undefined,
  }
  const { reading, rows, more } = useRows(someCalls, asked, ({ request_id }) => request_id)
  const t = words.value.journal
  const address = (change: AuditFilter) => {
    const { writes, ...others } = { ...asked, ...change }
    return withQuery('/reglages/journal', { ...others, lectures: writes === undefined ? 1 : undefined })
  }
  const callerName = useMemo(() => callerNames([...keys, ...users]), [keys, users, t])
  const columns = useMemo(() => columnsOf((call) => sentenceOf(call, callerName)), [callerName])
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <button type="button" class="button" onClick={() => downloadAll(asked, callerName)}>
          {t.download}
        </button>
      }
    >
      <div class="toolbar toolbar-fields">
        <SelectField
          name="user_id"
          label={t.user}
          value={asked.user_id ?? ''}
          options={[['', t.any], ...users.map(({ id, nom }) => [id, nom] as const)]}
          onChange={(user_id) => route(address({ user_id, key_id: undefined }), true)}
        />
        <SelectField
          name="key_id"
          label={t.key}
          value={asked.key_id ?? ''}
          options={[['', t.any], ...keys.map(({ id, nom }) => [id, nom] as const)]}
          onChange={(key_id) => route(address({ key_id, user_id: undefined }), true)}
        />
        <TextField
          name="since"
          label={t.since}
          type="date"
          value={asked.since ?? ''}
          onChange={(since) => route(address({ since }), true)}
        />
        <TextField
          name="until"
          label={t.until}
          type="date"
          value={asked.until ?? ''}
          onChange={(until) => route(address({ until }), true)}
        />
        <CheckField
          name="lectures"
          label={t.withReads}
          checked={asked.writes === undefined}
          onChange={(isWith) => route(address({ writes: isWith ? undefined : 'true' }), true)}
        />
      </div>
      <Answered reading={reading}>
        {() =>
          rows.length === 0 ? (
            <Empty title={t.empty} />
          ) : (
            <>
              <Table name={t.title} columns={columns} rows={rows} keyOf={({ request_id }) => request_id} />
              <MoreRows more={more} />
            </>
          )
        }
      </Answered>
    </Page>
  )
}

function callerNames(known: readonly NamedCaller[]): (caller: Caller) => string {
  const names = new Map(known.map(({ id, nom }) => [id, nom]))
  const t = words.value.journal
  return ({ key_id, user_id, method }) => {
    const id = user_id ?? key_id
    if (id !== null) return names.get(id) ?? id
    return method === 'CLI' ? t.commandLine : t.nobody
  }
}

type JournalCall = Pick<AuditedCall, 'method' | 'endpoint' | 'target' | 'nom' | 'key_id' | 'user_id' | 'status'>

function columnsOf(sentence: (call: JournalCall) => ComponentChildren): readonly Column<AuditedCall>[] {
  const t = words.value.journal
  return [
    { key: 'when', name: t.when, cell: ({ time }) => <Time at={time}>{exact(time)}</Time> },
    {
      key: 'call',
      name: t.call,
      takesRest: true,
      cell: (call) => (
        <>
          {sentence(call)}
          {call.calls !== undefined && call.calls > 1 && (
            <span class="muted small"> {t.times(number(call.calls))}</span>
          )}
          <div class="small muted">
            <code>{`${call.method} ${call.endpoint}`}</code> {t.technical(call.ip, milliseconds(call.duration_ms))}
          </div>
        </>
      ),
    },
    {
      key: 'status',
      name: t.status,
      cell: ({ status, target }) => (
        <Badge tone={isRefused({ target }) ? 'warn' : status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}>
          {isRefused({ target })
            ? t.refusedSignIn
            : status < 400
              ? t.done
              : status < 500
                ? t.refused(status)
                : t.failed(status)}
        </Badge>
      ),
    },
    {
      key: 'id',
      name: t.requestId,
      cell: ({ request_id }) => <CopyButton text={request_id} name={`${t.copyId} ${request_id}`} />,
    },
  ]
}

/** A sentence on a call, such as "Claire a clôturé SAV-2026-00042", with a link to what the call was about. */
function sentenceOf(call: JournalCall, callerName: (caller: Caller) => string): ComponentChildren {
  const t = words.value.journal
  const { method, endpoint } = call
  const act = actOf(call)
  const found = targetOf(call)
  const object = found && (found.href === null ? found.name : <a href={found.href}>{found.name}</a>)
  const verb = act ?? (method === 'GET' ? t.read : method === 'CLI' ? t.ran : t.called)
  return (
    <>
      <strong>{callerName(call)}</strong> {verb} {act === null && <code>{endpoint}</code>}
      {act === null && object !== null && t.about}
      {object}
    </>
  )
}

/** The maximum number of rows in a download, so that a spreadsheet can open it. */
const mostDownloaded = 100_000

/** Downloads every row that matches the filter, not only the rows shown. */
async function downloadAll(asked: AuditFilter, callerName: (caller: Caller) => string): Promise<void> {
  const rows: object[] = []
  try {
    for await (const call of sav.each('/api/v1/audit', { query: { ...asked, noms: 'true', limite: 1000 } })) {
      const { time, ip, method, endpoint, key_id, user_id, target, status, duration_ms, request_id, calls = 1 } = call
      const by = callerName(call)
      const told = { time, ip, method, endpoint, by, key_id, user_id, target, status, duration_ms, request_id, calls }
      rows.push({ ...told, nom: call.nom })
      if (rows.length === mostDownloaded) break
    }
    await downloadRows('journal.csv', rows)
  } catch (error) {
    sayFailed(saidOf(error))
  }
}

/** Whether the call is a refused sign-in. Its target is then `sign_in:` with the reason. */
const isRefused = ({ target }: Pick<AuditedCall, 'target'>) => target?.startsWith('sign_in:') === true

const enters = /^\/app\/session\/(invitation|passkey\/verify|oidc\/choix|oidc\/retour)$/

/** What a call did, in words. Null if the call only read, or if this version has no words for it. */
function actOf({ method, endpoint, target, status }: JournalCall): string | null {
  if (isRefused({ target })) return words.value.journal.notSignedIn
  if (enters.test(endpoint)) return words.value.journal.signedIn
  const all: Readonly<Record<string, string>> = { fr, en }[language.value]
  const act = `${method} ${endpoint.replace(/^\/api(?=\/v1\/planning)/, '')}`
  // A replay that was started is answered with 202; a 200 only counts the deliveries.
  if (act === 'POST /api/v1/webhooks/livraisons/rejouer' && status === 200) return words.value.journal.counted
  return all[act] ?? actOfPage(words.value, act) ?? null
}
