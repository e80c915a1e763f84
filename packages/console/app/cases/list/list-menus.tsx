import { useLocation } from 'preact-iso'
import type { CaseFilter, CaseSummary } from '../../api/client.js'
import { useRead } from '../../api/read.js'
import { allPoseurs } from '../../directory/questions.js'
import { to } from '../../session/address.js'
import { may } from '../../session/session.js'
import { saidOf } from '../../system/answered.js'
import { SelectField, TextField } from '../../system/form.js'
import { Icon } from '../../system/icons.js'
import { Menu } from '../../system/menu.js'
import { sayFailed } from '../../system/notices.js'
import type { Column } from '../../system/table.js'
import { words } from '../../words/words.js'
import { ExportMenu } from './export-menu.js'
import { addressOf, choices, hiddenFilters, usualOrder } from './filter.js'
import { hiddenColumns, mostViews, removeView, savedViews, saveView, showColumn } from './views.js'

interface ListMenusProps {
  readonly filter: CaseFilter
  readonly columns: readonly Column<CaseSummary>[]
}

export function ListMenus({ filter, columns }: ListMenusProps) {
  const t = words.value
  const held = hiddenFilters(filter)
  return (
    <div class="row">
      <Menu icon="filter" name={held === 0 ? t.filters : `${t.filters} · ${held}`}>
        <Filters filter={filter} />
      </Menu>
      <Menu icon="cases" name={t.cases.views}>
        <Views filter={filter} />
      </Menu>
      <Menu icon="catalogue" name={t.columns}>
        <div class="checks">
          {columns.slice(1).map(({ key, name }) => (
            <label key={key} class="check">
              <input
                type="checkbox"
                checked={!hiddenColumns.value.includes(key)}
                onChange={({ currentTarget }) => showColumn(key, currentTarget.checked)}
              />
              {name}
            </label>
          ))}
        </div>
      </Menu>
      <ExportMenu filter={filter} />
    </div>
  )
}

function Filters({ filter }: { readonly filter: CaseFilter }) {
  const { route } = useLocation()
  const { value: poseurs = [] } = useRead(allPoseurs, 'all')
  const t = words.value
  const any = ['', t.cases.any] as const
  const set = (change: Partial<CaseFilter>) => route(addressOf(filter, change), true)
  const find = <T extends string>(values: readonly T[], text: string) => values.find((value) => value === text)
  const date = (name: 'depuis' | 'jusque' | 'du' | 'au', label: string) => (
    <TextField
      name={name}
      label={label}
      type="date"
      value={filter[name] ?? ''}
      onChange={(day) => set({ [name]: day || undefined })}
    />
  )
  return (
    <>
      <SelectField
        name="tri"
        label={t.cases.order}
        value={filter.tri ?? usualOrder}
        options={choices.orders.map((each) => [each, t.cases.orders[each]] as const)}
        onChange={(value) => set({ tri: find(choices.orders, value) })}
      />
      <SelectField
        name="priorite"
        label={t.cases.priorite}
        value={filter.priorite ?? ''}
        options={[any, ...choices.priorites.map((each) => [each, t.priorite[each]] as const)]}
        onChange={(value) => set({ priorite: find(choices.priorites, value) })}
      />
      <SelectField
        name="type_probleme"
        label={t.cases.type}
        value={filter.type_probleme ?? ''}
        options={[any, ...choices.types.map((each) => [each, t.type_probleme[each]] as const)]}
        onChange={(value) => set({ type_probleme: find(choices.types, value) })}
      />
      <SelectField
        name="poseur_id"
        label={t.cases.poseur}
        value={String(filter.poseur_id ?? '')}
        options={[any, ['aucun', t.oneCase.unassigned], ...poseurs.map(({ id, nom }) => [String(id), nom] as const)]}
        onChange={(value) => set({ poseur_id: value === 'aucun' ? value : Number(value) || undefined })}
      />
      <TextField
        name="ville"
        label={t.cases.town}
        value={filter.ville ?? ''}
        onChange={(ville) => set({ ville: ville.trim() || undefined })}
      />
      {may('directory:read') && (
        <TextField
          name="telephone"
          label={t.cases.telephone}
          type="tel"
          value={filter.telephone ?? ''}
          onChange={(telephone) => set({ telephone: telephone.trim() || undefined })}
        />
      )}
      {date('depuis', t.cases.since)}
      {date('jusque', t.cases.until)}
      <SelectField
        name="survenu"
        label={t.cases.happened}
        value={filter.survenu ?? ''}
        options={[any, ...choices.happenings.map((each) => [each, t.cases.happenings[each]] as const)]}
        onChange={(value) => set({ survenu: find(choices.happenings, value) })}
      />
      {(filter.survenu ?? filter.visite_par) !== undefined && (
        <div class="fields">
          {date('du', t.statistics.from)}
          {date('au', t.statistics.until)}
        </div>
      )}
      {hiddenFilters(filter) > 0 && (
        <a class="button small" href={to('/dossiers')}>
          {t.clearFilters}
        </a>
      )}
    </>
  )
}

function Views({ filter }: { readonly filter: CaseFilter }) {
  const { value: views = [] } = useRead(savedViews, 'all')
  const t = words.value.cases
  const isFull = views.length >= mostViews
  const tell = (error: unknown) => sayFailed(saidOf(error))
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget
    if (!(form instanceof HTMLFormElement)) return
    const name = String(new FormData(form).get('name') ?? '').trim()
    if (isFull && views.every(({ nom }) => nom !== name)) sayFailed(t.viewsFull(mostViews))
    else if (name !== '') await saveView(name, addressOf(filter)).then(() => form.reset(), tell)
  }
  return (
    <>
      {views.length > 0 && (
        <ul class="stack-small scrolls">
          {views.map(({ nom, adresse }) => (
            <li key={nom} class="row-apart">
              <a href={to(adresse)}>{nom}</a>
              <button
                type="button"
                class="quiet"
                aria-label={t.removeView(nom)}
                onClick={() => removeView(nom).catch(tell)}
              >
                <Icon name="close" size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form class="stack-small" onSubmit={save}>
        <input name="name" aria-label={t.viewName} placeholder={t.viewName} required maxLength={100} />
        {isFull && <p class="hint">{t.viewsFull(mostViews)}</p>}
        <button type="submit" class="button small">
          {t.saveView}
        </button>
      </form>
    </>
  )
}
