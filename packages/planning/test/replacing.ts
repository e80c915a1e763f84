/** `target`, with some methods replaced. */
export function replacing<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      if (name in methods) return Reflect.get(methods, name)
      const own: unknown = Reflect.get(target, name)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
}
