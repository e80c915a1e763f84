import type * as z from 'zod'

/** The result of `build`, built at its first use: each process builds only the schemas that it needs. */
export function lazily<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined
  return () => {
    built ??= { value: build() }
    return built.value
  }
}

/** A schema that is built at its first use. */
export type Lazy<S extends z.ZodType> = () => S

/** The type that a schema takes. */
export type Input<L extends Lazy<z.ZodType>> = z.input<ReturnType<L>>

/** The type that a schema parses to. */
export type Output<L extends Lazy<z.ZodType>> = z.output<ReturnType<L>>
