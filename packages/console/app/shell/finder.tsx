import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { type SearchResult, sav } from '../api/client.js'
import { useOnceAnswered } from '../api/once-answered.js'
import { question, useRead } from '../api/read.js'
import { Status } from '../cases/marks.js'
import { to, withQuery } from '../session/address.js'
import { may } from '../session/session.js'
import { dateOf, dayName, timeOf } from '../session/zone.js'
import { Failure } from '../system/answered.js'
import { Dialog } from '../system/dialog.js'
import { isolated, personName } from '../words/formats.js'
import { words } from '../words/words.js'

const everything = question(
  async (q: string, signal) => (await sav.get('/api/v1/recherche', { query: { q, limite: 8 }, signal })).data,
)

const none: SearchResult = { dossiers: [], clients: [], rdv: [] }
const waitMs = 120

/**
 * Finds cases, clients and visits by what a caller says on the phone, and offers the next actions. Arrows move between
 * the results.
 */
export function Finder({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation()
  const [typed, setTyped] = useState('')
  const asked = useSettled(typed.trim())
  const reading = useRead(everything, /[\p{L}\p{N}]/u.test(asked) ? asked : null)
  const list = useRef<HTMLDivElement>(null)
  const t = words.value.finder
  const found = asked === '' ? none : (reading.value ?? none)
  const count = found.dossiers.length + found.clients.length + found.rdv.length
  const isRead = !reading.isStale && reading.error === null && reading.value !== undefined
  const isAnswered = isRead && asked !== '' && asked === typed.trim()

  const links = () => [...(list.current?.querySelectorAll<HTMLAnchorElement>('a.found') ?? [])]
  const { enter, forget } = useOnceAnswered(typed.trim(), isAnswered, () => {
    const [first] = links()
    if (first === undefined) return
    route(first.pathname + first.search)
    onClose()
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target } = event
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    const isTyping = target instanceof HTMLInputElement
    if (key === 'Enter' && isTyping) enter()
    else if (step !== undefined) {
      const rows = links()
      const at = rows.findIndex((link) => link.closest('li')?.contains(target instanceof Node ? target : null))
      const next = rows[at + step] ?? (step < 0 ? event.currentTarget : null)
      if (next instanceof HTMLAnchorElement) next.focus()
      else if (next instanceof HTMLElement) next.querySelector('input')?.focus()
    } else return
    event.preventDefault()
  }
  return (
    <Dialog title={t.title} isPalette onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows walk the links in it, which Tab reaches as well */}
      <div class="stack finder" onKeyDown={onKeyDown}>
        <input
          type="text"
          inputMode="search"
          aria-label={t.title}
          placeholder={t.title}
          value={typed}
          maxLength={200}
          autofocus
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value)
            forget()
          }}
        />
        <p class="hidden" role="status">
          {isAnswered && count > 0 && t.found(count)}
        </p>
        {reading.error !== null && asked !== '' && <Failure error={reading.error} retry={reading.reload} />}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link that is followed closes it, by whichever way */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: its links take the presses */}
        <div
          ref={list}
          class="finder-list"
          onClick={({ target }) => target instanceof Element && target.closest('a') && onClose()}
        >
          {asked === '' && <p class="muted small">{t.hint}</p>}
          <Results found={found} />
          {isAnswered && count === 0 && <Nothing typed={asked} />}
        </div>
      </div>
    </Dialog>
  )
}

/** The typed text, after a short pause in the typing. */
function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(setSettled, waitMs, typed)
    return () => clearTimeout(timer)
  }, [typed])
  return settled
}

/** Shown when nothing is found: suggestions for a new caller. */
function Nothing({ typed }: { readonly typed: string }) {
  const t = words.value.finder
  return (
    <>
      <p class="muted" role="status">
        {t.nothing}
      </p>
      <ul>
        {may('directory:write') && (
          <li>
            <a class="found" href={withQuery('/clients/nouveau', { nom: typed })}>
              {t.makeClient(typed)}
            </a>
          </li>
        )}
        {may('sav:write') && (
          <li>
            <a class="found" href={withQuery('/dossiers/nouveau', { nom: typed })}>
              {t.caseFor(typed)}
            </a>
          </li>
        )}
      </ul>
    </>
  )
}

function Results({ found: { dossiers, clients, rdv } }: { readonly found: SearchResult }) {
  const { cases, client: people, planning, stored } = words.value
  return (
    <>
      <Group name={people.title} rows={clients.length}>
        {clients.map((client) => (
          <li key={client.id}>
            <a class="found" href={to(`/clients/${client.id}`)}>
              <strong>{personName(client)}</strong>{' '}
              <span class="muted">
                {[client.ville, client.telephone]
                  .filter((text) => text !== null)
                  .map(isolated)
                  .join(' · ')}
              </span>
            </a>
            <Next client={client} bookFor={{ client_id: client.id, what: personName(client) }} />
          </li>
        ))}
      </Group>
      <Group name={cases.title} rows={dossiers.length}>
        {dossiers.map(({ id, reference, client, ville, statut, description }) => (
          <li key={id}>
            <a class="found" href={to(`/dossiers/${id}`)} title={stored(description)}>
              <strong class="nowrap">{reference}</strong> {personName(client)}
              <span class="muted">{[ville && `, ${isolated(ville)}`, ` · ${isolated(stored(description))}`]}</span>
            </a>
            <Status of={statut} />
            <Next client={client} bookFor={statut === 'clos' ? null : { sav_id: id, what: reference }} />
          </li>
        ))}
      </Group>
      <Group name={planning.title} rows={rdv.length}>
        {rdv.map(({ id, debut, client, ville }) => (
          <li key={id}>
            <a class="found" href={withQuery('/planning', { date: dateOf(debut), rdv: id })}>
              <strong>{`${dayName(dateOf(debut))}, ${timeOf(debut)}`}</strong> {personName(client)}{' '}
              {ville && <span class="muted">{ville}</span>}
            </a>
          </li>
        ))}
      </Group>
    </>
  )
}

interface GroupProps {
  readonly name: string
  readonly rows: number
  readonly children: ComponentChildren
}

function Group({ name, rows, children }: GroupProps) {
  if (rows === 0) return null
  return (
    <>
      <h3>{name}</h3>
      <ul>{children}</ul>
    </>
  )
}

interface NextProps {
  readonly client: SearchResult['clients'][number] | SearchResult['dossiers'][number]['client']
  /** The case or client for which a visit can be booked; null: none. */
  readonly bookFor: { readonly what: string; readonly sav_id?: number; readonly client_id?: number } | null
}

/** What the caller most often wants next. */
function Next({ client, bookFor }: NextProps) {
  const t = words.value.finder
  return (
    <span class="finder-next">
      {may('sav:write') && (
        <a href={withQuery('/dossiers/nouveau', { client_id: client.id })} aria-label={t.caseFor(personName(client))}>
          {t.newCase}
        </a>
      )}
      {bookFor && may('planning:write') && (
        <a
          href={withQuery('/planning/nouveau', { sav_id: bookFor.sav_id, client_id: bookFor.client_id })}
          aria-label={t.bookFor(bookFor.what)}
        >
          {t.book}
        </a>
      )}
    </span>
  )
}

/** The list of keyboard shortcuts. */
export function Keys({ onClose }: { readonly onClose: () => void }) {
  const t = words.value.finder
  const { find, search, new: begin, help, rows, choose, close } = t.keysHere
  const keys = [
    ['Ctrl K', find],
    ['/', search],
    ['n', begin],
    ['?', help],
    ['↓ ↑ j k', rows],
    ['x', choose],
    ['Esc', close],
  ]
  return (
    <Dialog title={t.keys} onClose={onClose}>
      <dl class="facts">
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
