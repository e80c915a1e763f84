import { expect, it } from 'vitest'
import { readyWorkplace, type Workplace, workplace } from './workplace.js'

interface Rdv {
  readonly id: number
  readonly statut: string
  readonly debut: string
  readonly fin: string
  readonly poseur: { readonly id: number }
  readonly avertissements: readonly string[]
}

interface Slot {
  readonly debut: string
  readonly poseur: { readonly id: number; readonly nom: string }
  readonly trajet_avant_minutes: number
  readonly jeton: string
}

/** A workplace whose `sav` uses the store of a shop with two poseurs, or its service over the network. */
async function shopOf(mode: 'store' | 'service') {
  const shop = await readyWorkplace()
  await shop.json(['poseurs', 'add', '--nom', 'Karim Benali'])
  await shop.json(['poseurs', 'add', '--nom', 'Lucie Moreau'])
  if (mode === 'store') return shop
  return workplace({ SAV_API_KEY: await shop.newKey(), SAV_URL: (await shop.serveHere()).url })
}

const planning = <T>(place: Workplace, ...args: string[]) => place.json<T>(['planning', ...args])
const monday = ['--poseur-id', '1', '--debut', '2030-03-18T09:00', '--duree', '90']
const book = (place: Workplace, ...args: string[]) =>
  planning<Rdv>(place, 'book', ...monday, '--client-id', '1', ...args)

it.each(['store', 'service'] as const)('an appointment is booked, changed and ended on a %s', async (mode) => {
  const place = await shopOf(mode)
  const [first] = await planning<Slot[]>(place, 'slots', '--duree', '90', '--du', '2030-03-18', '--poseur-id', '2')
  expect(first).toEqual({
    debut: '2030-03-18T07:00:00.000Z',
    fin: '2030-03-18T08:30:00.000Z',
    poseur: { id: 2, nom: 'Lucie Moreau' },
    trajet_avant_minutes: 0,
    trajet_ajoute_minutes: 0,
    jeton: expect.stringMatching(/^\S{20,}$/),
  })
  const ofSlot = ['book', '--jeton', first?.jeton ?? '', '--client-id', '1', '--statut', 'confirme']
  expect(await planning(place, ...ofSlot)).toMatchObject({ id: 1, statut: 'confirme', poseur: { id: 2 } })

  const booked = await book(place, '--type', 'pose', '--notes', 'Sonner deux fois')
  expect(booked).toMatchObject({
    id: 2,
    statut: 'planifie',
    type: 'pose',
    debut: '2030-03-18T08:00:00.000Z',
    fin: '2030-03-18T09:30:00.000Z',
    notes: 'Sonner deux fois',
    avertissements: [],
  })
  expect(await planning(place, 'show', '2')).toMatchObject({ id: 2, version: 1 })
  expect(await planning(place, 'move', '2', '--debut', '2030-03-20T10:30:00+01:00')).toMatchObject({
    debut: '2030-03-20T09:30:00.000Z',
    fin: '2030-03-20T11:00:00.000Z',
  })
  expect(await planning(place, 'confirm', '2')).toMatchObject({ statut: 'confirme', version: 3 })
  expect(await planning<Rdv[]>(place, 'week', '--date', '2030-03-24')).toMatchObject([{ id: 1 }, { id: 2 }])
  expect(await planning<Rdv[]>(place, 'week', '--date', '2030-03-25')).toEqual([])
  expect(await planning<Rdv[]>(place, 'day', '--date', '2030-03-20', '--poseur-id', '1')).toMatchObject([{ id: 2 }])
  expect(await planning(place, 'cancel', '1', '--motif', 'La cliente est en voyage')).toMatchObject({
    statut: 'annule',
    motif_annulation: 'La cliente est en voyage',
  })
  const done = ['done', '2', '--resultat', 'resolu', '--compte-rendu', 'Porte réglée']
  expect(await planning(place, ...done)).toMatchObject({ statut: 'realise', compte_rendu: 'Porte réglée' })
})

it('the refusal of a taken time offers free times', async () => {
  const place = await shopOf('store')
  await book(place)
  const again = ['planning', 'book', ...monday, '--client-id', '1']
  const { code, stdout, stderr } = await place.sav(again)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^Rdv 1 is in the way: lun\. 18\/03\/2030 09:00–10:30 \(Europe\/Paris\)\.\n/)
  expect(stderr).toMatch(/\nFree instead: lun\. 18\/03\/2030 10:30–12:00, Karim Benali \(1\)\.\n/)
  const { error } = JSON.parse((await place.sav([...again, '--json'])).stderr)
  expect(error).toMatchObject({ conflit: { id: 1, poseur: { id: 1 } }, alternatives: { length: 3 } })
  const [free] = error.alternatives
  expect(await planning(place, 'book', '--jeton', free.jeton, '--client-id', '1')).toMatchObject({ debut: free.debut })
})

it('hours, absences and skills are shown, replaced and reset', async () => {
  const place = await shopOf('store')
  const early = { periodes: [{ du: null, au: null, semaine: { lundi: [{ debut: '06:00', fin: '14:00' }] } }] }
  await place.write('hours.json', JSON.stringify(early))
  expect(await planning(place, 'hours', '1', '--file', 'hours.json')).toEqual({ ...early, exceptions: [] })
  await place.shows('planning hours 1', 0, /always +lundi +06:00–14:00/)
  expect(await planning(place, 'hours', '1', '--reset')).toEqual(await planning(place, 'hours', '2'))

  await book(place)
  const away = ['absences', '1', '--debut', '2030-03-18T00:00', '--fin', '2030-03-19T00:00', '--motif', 'Formation']
  const view = {
    absences: [{ debut: '2030-03-17T23:00:00.000Z', fin: '2030-03-18T23:00:00.000Z', motif: 'Formation' }],
    rdv: [{ id: 1 }],
  }
  expect(await planning(place, ...away)).toMatchObject(view)
  const shown = await place.sav('planning absences 1')
  expect(shown.stdout).toMatch(
    /2030-03-18 00:00 +2030-03-19 00:00 +Formation\n\nNote: rdv 1 on 2030-03-18 09:00 is during an absence/,
  )
  await place.write('absences.json', JSON.stringify([...view.absences, ...view.absences]))
  expect(await planning(place, 'absences', '1', '--file', 'absences.json')).toMatchObject({ absences: { length: 2 } })
  expect(await planning(place, 'absences', '1', '--clear')).toEqual({ absences: [], rdv: [] })

  expect(await planning(place, 'skills', '1', '--set', 'reglage, facade')).toEqual(['facade', 'reglage'])
  expect((await place.sav('planning skills 2')).stdout).toBe('Everything.\n')
  expect(await planning(place, 'skills', '1', '--set', '')).toEqual([])
})

it('optimise shows the new rounds, and changes them only with --apply', async () => {
  const place = await shopOf('store')
  await book(place)
  const optimise = ['planning', 'optimise', '--date', '2030-03-18', '--poseur-id', '1']
  // Moving the only visit would save no travel.
  await place.shows(optimise, 0, /\n\nNothing moves\.\n$/)
  await planning(place, 'move', '1', '--debut', '2030-03-18T19:00')
  const preview = await place.sav(optimise)
  expect(preview.stdout).toMatch(/1 +19:00 → 08:00 +1\n\nNothing was changed\. To make these changes, add --apply\.\n$/)
  expect(await planning(place, 'show', '1')).toMatchObject({ debut: '2030-03-18T18:00:00.000Z' })
  const [, ...words] = optimise
  expect(await planning(place, ...words, '--apply')).toMatchObject({
    minutes_avant: 0,
    minutes_apres: 0,
    tournees: [{ poseur_id: 1, visites: [{ rdv_id: 1, debut: '2030-03-18T07:00:00.000Z' }] }],
  })
  expect(await planning(place, 'show', '1')).toMatchObject({ debut: '2030-03-18T07:00:00.000Z' })
})

it('the week is shown by poseur, a team’s visit under each member, in the account’s time zone', async () => {
  const shop = await shopOf('store')
  await shop.json(['clients', 'add', '--nom', 'Delacroix-Montgolfier de la Tour', '--prenom', 'Anne'])
  await book(shop, '--equipier-id', '2')
  await shop.json(['planning', 'book', ...monday.with(3, '2030-03-20T14:30'), '--client-id', '2'])
  await shop.json(['planning', 'book', ...monday.with(3, '2030-03-21T14:30'), '--client-id', '2'])
  await shop.json('planning cancel 3 --motif Reporté')
  await shop.json(['poseurs', 'add', '--nom', 'Aude Simon'])
  expect((await shop.sav('planning week --date 2030-03-18')).stdout).toBe(
    [
      '2030-03-18 to 2030-03-24, times in Europe/Paris',
      '',
      'lun. 18/03      mar. 19/03      mer. 20/03      jeu. 21/03      ven. 22/03',
      '',
      'Aude Simon (3)',
      'free',
      '',
      'Karim Benali (1)',
      '· 09:00–10:30                   · 14:30–16:00',
      '#1 Durand                       #2 Delacroix-…',
      '',
      'Lucie Moreau (2)',
      '· 09:00–10:30',
      '#1 Durand',
      '',
      '· planifie   1 cancelled',
      '',
    ].join('\n'),
  )
  await shop.shows('planning week --date 2029-01-01', 0, /\nNo appointment\.\n$/)
  const day = await shop.sav('planning day --date 2030-03-18')
  expect(day.stdout).toMatch(/Karim Benali \(1\) +09:00–10:30 +1 +planifie +autre +Hélène Durand/)
})

it('the week over the network shows poseurs without visits only if the key may read the directory', async () => {
  const shop = await shopOf('store')
  await book(shop)
  const { url: SAV_URL } = await shop.serveHere()
  const week = async (permissions: string) => {
    const made = ['keys', 'create', '--name', 'atelier', '--permissions', permissions]
    const { key } = await shop.json<{ key: string }>(made)
    const ran = await workplace({ SAV_API_KEY: key, SAV_URL })
    return (await ran.sav('planning week --date 2030-03-18')).stdout
  }
  expect(await week('planning:read,directory:read')).toContain('\n\nLucie Moreau (2)\nfree\n')
  const without = await week('planning:read')
  expect(without).toContain('Karim Benali (1)')
  expect(without).not.toContain('Lucie')
})

it('days and times are in the account’s time zone, even on the other side of the earth', async () => {
  const shop = await shopOf('store')
  await shop.json('accounts update default --fuseau Pacific/Noumea')
  expect(await book(shop)).toMatchObject({ debut: '2030-03-17T22:00:00.000Z', fuseau: 'Pacific/Noumea' })
  const { stdout } = await shop.sav('planning week --date 2030-03-18')
  expect(stdout).toMatch(/times in Pacific\/Noumea\n\nlun\. 18\/03 .*\n\nKarim Benali \(1\)\n· 09:00–10:30\n/)
  expect(await planning<Rdv[]>(shop, 'day', '--date', '2030-03-17')).toEqual([])
})

it('a week with a Sunday in it stays within 80 columns', async () => {
  const shop = await shopOf('store')
  const ran = await shop.sav(['planning', 'book', ...monday.with(3, '2030-03-24T09:00'), '--client-id', '1'])
  expect(ran.stdout).toMatch(/\nNote: Karim Benali \(1\) does not work during all of this time\.\n$/)
  const { stdout } = await shop.sav('planning week --date 2030-03-24')
  expect(stdout).toMatch(/ven\. 22\/03 +dim\. 24\/03\n/)
  for (const line of stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(80)
})

it('a refusal says what to do', async () => {
  const refused: [command: string, code: number, message: RegExp][] = [
    ['week --date 2030-02-30', 2, /--date 2030-02-30: it must be a day as YYYY-MM-DD/],
    ['slots --duree 60 --lat 45.75', 2, /--lon: give both --lat and --lon/],
    ['book --client-id 1', 2, /--poseur-id: required\n--debut: required\n--duree: required$/m],
    ['book --poseur-id 1 --debut 18/03/2030 --duree 60 --client-id 1', 2, /must be a day and a time of day, such as/],
    [
      'book --poseur-id 1 --debut 2030-02-30T09:00 --duree 60 --client-id 1',
      2,
      /--debut 2030-02-30T09:00: it must be a day/,
    ],
    ['book --poseur-id 1 --debut 2030-03-18T09:00 --duree 721', 2, /^--duree: must be at most 720$/m],
    ['book --poseur-id 1 --debut 2030-03-18T09:00 --duree 60', 2, /^--client-id: give --client-id or --sav-id$/m],
    ['book --poseur-id 9 --debut 2030-03-18T09:00 --duree 60 --client-id 1', 2, /--poseur-id: no poseur 9/],
    [
      'book --poseur-id 1 --debut 2030-03-31T02:59 --duree 60 --client-id 1',
      2,
      /^There is no 02:59 on 2030-03-31 in Europe\/Paris, where the clock is put forward: give 03:00 or another time\.$/m,
    ],
    ['move 9 --debut 2030-03-18T09:00', 3, /No rdv 9/],
    ['done 1', 2, /--resultat/],
    ['hours 9', 3, /No poseur 9/],
    ['hours 1 --file none.json --reset', 2, /not both/],
    ['absences 1 --debut 2030-03-18T00:00', 2, /--debut and --fin come together/],
    ['absences 1 --motif x --clear', 2, /only one of these/],
    ['skills 1 --set plomberie', 2, /^--set: must be one of .* \(found plomberie\)/],
  ]
  const shop = await shopOf('store')
  for (const [command, code, message] of refused) {
    const ran = await shop.sav(['planning', ...command.split(' ')])
    expect([command, ran.code, ran.stdout, ran.stderr]).toEqual([command, code, '', expect.stringMatching(message)])
  }
})

it('slots say that there may be more when the limit is reached', async () => {
  const shop = await shopOf('store')
  const slots = (...args: string[]) => shop.sav(['planning', 'slots', '--duree', '90', '--du', '2030-03-18', ...args])
  expect((await slots()).stdout).toMatch(/\n\n50 slots, and there may be more: name a day .*--limite\)\.\n$/)
  expect((await slots('--limite', '2')).stdout).toMatch(/\n\n2 slots, and there may be more: /)
  expect((await slots('--limite', '2', '--json')).stdout).not.toContain('more')
  const few = await slots('--au', '2030-03-18', '--fenetre', '08:00-10:00', '--poseur-id', '1')
  expect(few.stdout).toContain('08:00–09:30')
  expect(few.stdout).not.toContain('more')
})

it('JSON is read from standard input too', async () => {
  const shop = await shopOf('store')
  const input = '{"exceptions":[{"date":"2030-03-18","plages":[]}]}'
  await shop.shows(
    'planning hours 1 --file - --json',
    0,
    '{"periodes":[],"exceptions":[{"date":"2030-03-18","plages":[]}]}\n',
    {},
    { input },
  )
})

it('sav planning ics makes a calendar address, which works until the next one is made', async () => {
  const shop = await readyWorkplace()
  await shop.json(['poseurs', 'add', '--nom', 'Karim Benali'])
  const { url: base } = await shop.serveHere()
  const remote = await workplace({ SAV_API_KEY: await shop.newKey(), SAV_URL: base })
  const { id } = await book(remote)
  const { url } = await planning<{ url: string }>(remote, 'ics', '1')
  expect(url.startsWith(`${base}/calendriers/sav_cal_`)).toBe(true)
  const calendar = await (await fetch(url)).text()
  expect(calendar).toContain('DTSTART;TZID=Europe/Paris:20300318T090000')
  expect(calendar).toContain(`UID:rdv-${id}-`)
  const { url: next } = await planning<{ url: string }>(remote, 'ics', '1')
  expect((await fetch(url)).status).toBe(404)
  expect(await (await fetch(next)).text()).toBe(calendar)
  // Without a service, the command makes an address that works too, here for all appointments.
  const made = await shop.sav('planning ics')
  expect(made.stdout).toMatch(/^The address belongs to the account\. Each call replaces the account’s previous/m)
  const [whole = ''] = made.stdout.split('\n')
  expect(await (await fetch(whole)).text()).toContain('SUMMARY:Karim Benali : ')
})
