/** Strokes on a 24×24 square. */
const paths = {
  home: 'M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  cases: 'M4 7a2 2 0 0 1 2-2h4l2 2h6a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2z',
  clients: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.8-3.5 3.8-5.5 7.5-5.5s6.700 2 7.5 5.5',
  poseurs: 'M14.5 5.5a4.5 4.5 0 0 0-5.8 5.800L3.5 16.5l4 4 5.2-5.200a4.5 4.5 0 0 0 5.8-5.800l-3 3-3-1-1-3z',
  webhooks: 'M9 9a3.5 3.5 0 1 1 5 3.100l2.5 4.400M9 9l-3 5.200M6 14.5a3 3 0 1 0 2.9 3.700M9 18h7a3 3 0 1 0 .2-3.6',
  history: 'M4 12a8 8 0 1 0 2.5-5.800L4 8.5M4 4v4.5h4.5M12 8v4.5l3 1.8',
  keys: 'M14 10a4 4 0 1 0-3.9 4H12v2h2v2h2v2h4v-3.5L13.700 11',
  journal: 'M6 4h10l3 3v13H6zM9 9h6M9 13h7M9 17h4',
  catalogue: 'M5 5h6v6H5zM13.5 5h6v6h-6zM5 13.5h6v6H5zM13.5 13.5h6v6h-6z',
  account: 'M4 20V9l8-5 8 5v11M9 20v-6h6v6',
  users:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 19c.5-3 2.8-4.7 6-4.700s5.5 1.7 6 4.700M16 4.5a3.300 3.3 0 0 1 0 6.200M17.5 14.600c2 .6 3.2 2.2 3.5 4.4',
  health: 'M3 12h4l2.5-6 4 12 2.5-6h5',
  chart: 'M4 20h16M6.5 16.500v-5M12 16.500V5M17.500 16.500V9',
  plus: 'M12 5v14M5 12h14',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7',
  warning: 'M12 4l9 15.5H3zM12 10v4.5M12 17v.2',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  menu: 'M4 7h16M4 12h16M4 17h16',
  back: 'M14.5 6l-6 6 6 6',
  next: 'M9.5 6l6 6-6 6',
  camera: 'M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 16.5a3.300 3.3 0 1 0 0-6.6 3.3 3.3 0 0 0 0 6.600z',
  file: 'M7 3.5h7l4 4V20.5H7zM14 3.5v4h4',
  shield: 'M12 3.5l7.5 3v5.5c0 4.5-3.2 7.2-7.5 8.5-4.3-1.3-7.5-4-7.5-8.5V6.5zM8.5 12l2.5 2.5 4.5-5',
  reload: 'M20 12a8 8 0 1 1-2.5-5.800L20 8.5M20 4v4.5h-4.5',
  out: 'M14 5H6v14h8M11 12h9.5M17 8.5l3.5 3.5-3.5 3.5',
  more: 'M5 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M11 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M17 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.300l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.700l1-1',
  calendar: 'M5 6h14v14H5zM5 10.5h14M9 3.5V8M15 3.5V8',
  route:
    'M6 19a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM18 10a2.5 2.5 0 1 0 0-5 2.500 2.5 0 0 0 0 5zM8.500 16.5H15a3 3 0 0 0 3-3V10M6 14V9a3 3 0 0 1 3-3h6.500',
  filter: 'M4 6h16M7 12h10M10 18h4',
  send: 'M4 12l16-7-6 15-3-6z',
} as const

export type IconName = keyof typeof paths

/** Decorative: the meaning is in the text beside it, or in the name of its button. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}

/** The logo: a cupboard. */
export function Brand({ size = 26 }: { readonly size?: number }) {
  return (
    <svg class="brand-sign" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" />
      <path d="M9 6.5h14A1.5 1.5 0 0 1 24.5 8v16a1.5 1.5 0 0 1-1.5 1.5H9A1.5 1.5 0 0 1 7.5 24V8A1.5 1.5 0 0 1 9 6.5zM16 6.5v19M13 14.5v3M19 14.5v3" />
    </svg>
  )
}
