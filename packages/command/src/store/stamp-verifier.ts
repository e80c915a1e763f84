import type { StampVerifier } from '@sav/core/ports'
import { settingBytes } from '../process/bounded-file.js'
import { CommandError } from '../process/command-error.js'
import { fileProblem } from '../process/system-problem.js'

/**
 * The certificates of SAV_TSA_CA, which is their text or the path of a file.
 * @throws CommandError if it is neither
 */
export async function authorityOf(tsaCa: string | null): Promise<{ readonly ca?: string }> {
  if (tsaCa === null) return {}
  const { createStampVerifier } = await import('@sav/reception-report/timestamp')
  const isText = tsaCa.includes('-----BEGIN')
  try {
    const ca = isText ? tsaCa : settingBytes(tsaCa).toString()
    createStampVerifier({ ca })
    return { ca }
  } catch (cause) {
    const problem = cause instanceof RangeError ? 'it holds no certificate in PEM.' : fileProblem(cause)
    const sentence = `SAV_TSA_CA: ${isText ? '' : `${tsaCa}: `}${problem}`
    const remedy = 'Name a file with the certificates of the authority in PEM, or give them as text.'
    throw new CommandError('invalid_setting', `${sentence} ${remedy}`, { cause })
  }
}

/** A verifier whose code is loaded with the first stamp. */
export function lazyStampVerifier(tsaCa: string | null): StampVerifier {
  let loaded: Promise<StampVerifier> | undefined
  return {
    async check(token, hash) {
      loaded ??= import('@sav/reception-report/timestamp').then(async ({ createStampVerifier }) =>
        createStampVerifier(await authorityOf(tsaCa)),
      )
      return (await loaded).check(token, hash)
    },
  }
}
