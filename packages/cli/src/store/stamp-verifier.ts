import { readFileSync } from 'node:fs'
import type { StampVerifier } from '@sav/core/ports'
import { CommandError } from '../process/command-error.js'

/** The certificates that SAV_TSA_CA means: its text, or that of the file which it names. @throws CommandError */
export function authorityOf(tsaCa: string | null): { readonly ca?: string } {
  if (tsaCa === null) return {}
  if (tsaCa.includes('-----BEGIN')) return { ca: tsaCa }
  try {
    return { ca: readFileSync(tsaCa, 'utf8') }
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : 'it cannot be read'
    throw new CommandError('invalid_setting', `SAV_TSA_CA: ${said}`, { cause })
  }
}

/** Loaded with the first stamp that is read. */
export function lazyStampVerifier(tsaCa: string | null): StampVerifier {
  let loaded: Promise<StampVerifier> | undefined
  return {
    async check(token, hash) {
      loaded ??= import('@sav/reception-report/timestamp').then(({ createStampVerifier }) =>
        createStampVerifier(authorityOf(tsaCa)),
      )
      return (await loaded).check(token, hash)
    },
  }
}
