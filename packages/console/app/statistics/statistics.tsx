import { useLocation } from 'preact-iso'
import { type CaseFilter, type Statistics as Numbers, sav } from '../api/client.js'
import { question, useRead } from '../api/read.js'
import { addressOf } from '../cases/list/filter.js'
import { to, withQuery } from '../session/address.js'
import { daysAfter, isDate, today } from '../session/zone.js'
import { Answered } from '../system/answered.js'
import { TextField } from '../system/form.js'
import { Card, Empty, Page } from '../system/page.js'
import { type Column, Table } from '../system/table.js'
import { monthName, number } from '../words/formats.js'
import { words } from '../words/words.js'
import { Bars, Columns } from './charts.js'
import { downloadNumbers, hoursOf } from './numbers-file.js'

const numbersOf = question(
  async (query: { du?: string; au?: string }, signal) =>
    (await sav.get('/api/v1/statistiques', { query, signal })).data,
)

/** For each number, the filter that lists the same cases. */
const casesOf = {
  crees: ({ du, au }: Period): CaseFilter => ({ depuis: du, jusque: au }),
  clos: (period: Period): CaseFilter => ({ survenu: 'clos', ...period }),
  rouverts: (period: Period): CaseFilter => ({ survenu: 'rouvert', ...period }),
  secondes_visites: (period: Period): CaseFilter => ({ survenu: 'revisite', ...period }),
}

/** The figures of a period that a shop's owner asks about. Each number links to its cases. */
export function Statistics() {
  const { query, route } = useLocation()
  const { du, au } = query
  const reading = useRead(numbersOf, { ...(isDate(du) && { du }), ...(isDate(au) && { au }) })
  const t = words.value.statistics
  const found = reading.value
  const set = (change: { du?: string; au?: string }) =>
    route(withQuery('/statistiques', { du: found?.du, au: found?.au, ...change }), true)
  return (
    <Page
      title={t.title}
      lead={t.lead}
      {...(found && {
        actions: (
          <>
            <button type="button" class="button" onClick={() => print()}>
              {t.print}
            </button>
            <button type="button" class="button" onClick={() => downloadNumbers(found)}>
              {t.export}
            </button>
          </>
        ),
      })}
    >
      <div class="toolbar toolbar-fields">
        <nav class="choice" aria-label={t.period}>
          {periods().map(({ name, du, au }) => (
            <a
              key={name}
              href={withQuery('/statistiques', { du, au })}
              aria-current={found?.du === du && found.au === au ? 'true' : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
        <TextField
          name="du"
          label={t.from}
          type="date"
          value={found?.du ?? ''}
          onChange={(date) => set({ du: date })}
        />
        <TextField
          name="au"
          label={t.until}
          type="date"
          value={found?.au ?? ''}
          onChange={(date) => set({ au: date })}
        />
      </div>
      <Answered reading={reading}>{(numbers) => <AllNumbers numbers={numbers} />}</Answered>
    </Page>
  )
}

/** The periods that users most often choose. */
function periods() {
  const t = words.value.statistics
  const now = today()
  const first = `${now.slice(0, 7)}-01`
  const lastDay = daysAfter(first, -1)
  return [
    { name: t.thisMonth, du: first, au: now },
    { name: t.lastMonth, du: `${lastDay.slice(0, 7)}-01`, au: lastDay },
    { name: t.thisYear, du: `${now.slice(0, 4)}-01-01`, au: now },
  ]
}

function AllNumbers({ numbers }: { readonly numbers: Numbers }) {
  const { du, au, ouverts, premiere_visite_jours, cloture_jours, par_type, par_mois, par_poseur, pieces } = numbers
  const t = words.value.statistics
  const types = words.value.type_probleme
  const happened = [
    { key: 'crees', name: t.created },
    { key: 'clos', name: t.closed },
    { key: 'rouverts', name: t.reopened },
    { key: 'secondes_visites', name: t.again },
  ] as const
  const series = happened.map(({ key, name }) => ({
    name,
    of: (row: { readonly [each in (typeof happened)[number]['key']]: number }) => row[key],
  }))
  const counted = <Row extends { readonly [each in keyof typeof casesOf]: number }>(
    filterOf: (row: Row) => Period & { readonly type_probleme?: Numbers['par_type'][number]['type'] },
  ): Column<Row>[] =>
    happened.map(({ key, name }) => ({
      key,
      name,
      ...inNumbers,
      cell: (row) => {
        const { type_probleme, ...period } = filterOf(row)
        return <Leading n={row[key]} href={addressOf({ type_probleme, ...casesOf[key](period) })} />
      },
    }))
  const period = { du, au }
  /** Whether a row has any number other than 0; the others are hidden. */
  const isSome = (row: (typeof par_mois)[number] | (typeof par_type)[number]) => series.some(({ of }) => of(row) > 0)
  const [months, kinds] = [par_mois.filter(isSome), par_type.filter(isSome)]
  return (
    <div class="stack">
      <OpenByAge open={ouverts} />
      <div class="tiles">
        <Tile name={t.firstVisit} days={premiere_visite_jours} href={addressOf({ survenu: 'visite', ...period })} />
        <Tile name={t.close} days={cloture_jours} href={addressOf({ survenu: 'clos', ...period })} />
      </div>
      {months.length === 0 && <Empty title={t.nothing} />}
      {months.length > 0 && (
        <Card title={t.byMonth}>
          <Columns name={t.byMonth} rows={months} nameOf={({ mois }) => monthName(mois, 'short')} series={series} />
          <Table
            name={t.byMonth}
            rows={months}
            keyOf={({ mois }) => mois}
            columns={[
              { key: 'mois', name: t.month, cell: ({ mois }) => monthName(mois, 'long') },
              ...counted<Numbers['par_mois'][number]>(({ mois }) => monthWithin(mois, period)),
            ]}
          />
        </Card>
      )}
      {kinds.length > 0 && (
        <Card title={t.byType}>
          <Bars name={t.byType} rows={kinds} nameOf={({ type }) => types[type]} series={series} />
          <Table
            name={t.byType}
            rows={kinds}
            keyOf={({ type }) => type}
            columns={[
              { key: 'type', name: words.value.cases.type, cell: ({ type }) => types[type] },
              ...counted<Numbers['par_type'][number]>(({ type }) => ({ ...period, type_probleme: type })),
            ]}
          />
        </Card>
      )}
      <Card title={t.byPoseur}>
        {par_poseur.length === 0 ? <p class="muted">{t.nothing}</p> : <ByPoseur rows={par_poseur} period={period} />}
      </Card>
      <Card title={t.parts}>{pieces.length === 0 ? <p class="muted">{t.nothing}</p> : <Parts rows={pieces} />}</Card>
    </div>
  )
}

type Period = Pick<Numbers, 'du' | 'au'>

const open = { statut: 'non_clos' } as const
const inNumbers = { isNumber: true, needsName: true } as const

const daysText = (days: number | null) => (days === null ? '–' : words.value.statistics.days(days, number(days)))

/** Open cases as one bar: each part links to its cases. */
function OpenByAge({ open: { moins_7_jours, moins_30_jours, plus } }: { readonly open: Numbers['ouverts'] }) {
  const t = words.value.statistics
  const parts = [
    { n: moins_7_jours, hint: t.under7, href: addressOf({ ...open, age_max: 7 }) },
    { n: moins_30_jours, hint: t.under30, href: addressOf({ ...open, age_min: 7, age_max: 30 }) },
    { n: plus, hint: t.older, href: addressOf({ ...open, age_min: 30 }) },
  ]
  return (
    <Card title={t.open} actions={<strong class="number">{number(parts.reduce((sum, { n }) => sum + n, 0))}</strong>}>
      <div class="age-bar">
        {parts
          .filter(({ n }) => n > 0)
          .map(({ n, hint, href }) => (
            <a key={hint} href={href} style={{ 'flex-grow': String(n) }}>
              <strong>{number(n)}</strong> <span class="small">{hint}</span>
            </a>
          ))}
      </div>
    </Card>
  )
}

interface TileProps {
  readonly name: string
  readonly days: Numbers['cloture_jours']
  readonly href: string
}

function Tile({ name, days: { mediane, p90 }, href }: TileProps) {
  return (
    <a class="card tile" href={href}>
      <span class="muted">{name}</span>
      <strong>{daysText(mediane)}</strong>
      {p90 !== null && <span class="small muted">{words.value.statistics.ninety(daysText(p90))}</span>}
    </a>
  )
}

function Leading({ n, href }: { readonly n: number; readonly href: string }) {
  return n === 0 ? <span class="muted">0</span> : <a href={href}>{number(n)}</a>
}

interface ByPoseurProps {
  readonly rows: Numbers['par_poseur']
  readonly period: Period
}

function ByPoseur({ rows, period }: ByPoseurProps) {
  const t = words.value.statistics
  return (
    <>
      <Bars
        name={t.byPoseur}
        rows={rows}
        nameOf={({ poseur }) => poseur.nom}
        series={[
          { name: t.work, of: ({ minutes_travail }) => hoursOf(minutes_travail) },
          { name: t.road, of: ({ minutes_route }) => hoursOf(minutes_route) },
        ]}
      />
      <Table
        name={t.byPoseur}
        rows={rows}
        keyOf={({ poseur }) => poseur.id}
        columns={[
          {
            key: 'poseur',
            name: words.value.cases.poseur,
            cell: ({ poseur }) => <a href={to(`/poseurs/${poseur.id}`)}>{poseur.nom}</a>,
          },
          {
            key: 'visites',
            name: t.visits,
            ...inNumbers,
            cell: ({ poseur, visites }) => (
              <Leading n={visites} href={addressOf({ visite_par: poseur.id, ...period })} />
            ),
          },
          { key: 'work', name: t.work, ...inNumbers, cell: (row) => number(hoursOf(row.minutes_travail)) },
          { key: 'road', name: t.road, ...inNumbers, cell: (row) => number(hoursOf(row.minutes_route)) },
          {
            key: 'rouverts',
            name: t.reopened,
            ...inNumbers,
            cell: ({ poseur, rouverts }) => (
              <Leading n={rouverts} href={addressOf({ survenu: 'rouvert', poseur_id: poseur.id, ...period })} />
            ),
          },
        ]}
      />
    </>
  )
}

function Parts({ rows }: { readonly rows: Numbers['pieces'] }) {
  const t = words.value.statistics
  const series = [{ name: t.pieces, of: ({ quantite }: Numbers['pieces'][number]) => quantite }]
  return (
    <>
      <Bars name={t.parts} rows={rows.slice(0, 10)} nameOf={({ designation }) => designation} series={series} />
      <Table
        name={t.parts}
        rows={rows}
        keyOf={({ designation, reference }) => JSON.stringify([designation, reference])}
        columns={[
          { key: 'designation', name: t.part, cell: ({ designation }) => designation },
          { key: 'reference', name: t.reference, cell: ({ reference }) => reference },
          { key: 'quantite', name: t.pieces, ...inNumbers, cell: ({ quantite }) => number(quantite) },
        ]}
      />
    </>
  )
}

/** The days of a month within a period. */
function monthWithin(mois: string, { du, au }: Pick<Numbers, 'du' | 'au'>): Pick<Numbers, 'du' | 'au'> {
  const [year, month] = mois.split('-').map(Number)
  const [first, last] = [`${mois}-01`, new Date(Date.UTC(year ?? 0, month ?? 0, 0)).toISOString().slice(0, 10)]
  return { du: du > first ? du : first, au: au < last ? au : last }
}
