import type * as z from 'zod'

/** Gives what `build` makes, built when it is first asked for: a process builds the schemas of what it does, and no others. */
export function lazily<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined
  return () => {
    built ??= { value: build() }
    return built.value
  }
}

/** A schema that is built at its first use. */
export type Lazy<S extends z.ZodType> = () => S

/** What a schema takes. */
export type Input<L extends Lazy<z.ZodType>> = z.input<ReturnType<L>>

/** What a schema parses to. */
export type Output<L extends Lazy<z.ZodType>> = z.output<ReturnType<L>>
