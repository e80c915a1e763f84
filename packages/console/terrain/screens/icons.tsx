/** Strokes on a 24×24 square. */
const paths = {
  day: 'M5 6h14v14H5zM5 10.5h14M9 3.5V8M15 3.5V8',
  send: 'M4 12l16-7-6 15-3-6z',
  me: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.8-3.5 3.8-5.5 7.5-5.5s6.700 2 7.5 5.5',
  back: 'M14.5 6l-6 6 6 6',
  next: 'M9.5 6l6 6-6 6',
  phone:
    'M6 4h3.500l1.500 4-2.200 1.600a12 12 0 0 0 5.600 5.600L16 13l4 1.500V18a2 2 0 0 1-2.200 2A16 16 0 0 1 4 6.200 2 2 0 0 1 6 4z',
  way: 'M12 21s-6.500-6-6.500-11a6.500 6.500 0 0 1 13 0c0 5-6.500 11-6.500 11zM12 12.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z',
  clock: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17zM12 7.500V12l3 2',
  key: 'M14 10a4 4 0 1 0-3.9 4H12v2h2v2h2v2h4v-3.5L13.700 11',
  camera: 'M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 16.5a3.300 3.3 0 0 1 0-6.6 3.3 3.3 0 0 1 0 6.600z',
  check: 'M5 12.5l4.5 4.5L19 7',
  warning: 'M12 4l9 15.5H3zM12 10v4.5M12 17v.2',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  lock: 'M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3',
  finger:
    'M7 18c1-2 1.200-4 1.200-6a3.800 3.800 0 0 1 7.600 0c0 2.500-.3 5-1.300 7.500M12 12c0 3-.4 5.500-1.600 8M4.500 15c.4-1.200.5-2.200.5-3.500a7 7 0 0 1 14 0c0 1.200 0 2.500-.3 4',
  car: 'M4 16v-3.500L6 8h12l2 4.500V16zM4 16v2.500M20 16v2.500M7.500 13.500h.1M16.500 13.500h.1',
  erase: 'M9 6h11v12H9l-5-6zM12 10l4 4M16 10l-4 4',
  pen: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
} as const
export type IconName = keyof typeof paths

/** Decorative: the meaning is in the text beside it, or in the name of its button. */
export function Icon({ name, size = 22 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
