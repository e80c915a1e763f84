import { isPathParam, pathParam } from '../http/path-params.js'

/** Kinds that differ from the word in the path. */
const kinds: Readonly<Record<string, string>> = {
  cles: 'key',
  clients: 'client',
  compte: 'account',
  livraisons: 'delivery',
  planning: 'rdv',
  poseurs: 'poseur',
  rejouer: 'replay',
  sav: 'case',
  utilisateurs: 'user',
  webhooks: 'endpoint',
}

/**
 * The subject of a call, as `client:13` or `key:key_…`. It is the first thing that the path identifies, or else the
 * created thing; null if there is neither.
 * @param path of the contract
 * @param texts the path's parameters in order
 * @param made the id in the answer
 */
export function targetOf(path: string, texts: readonly string[], made: unknown = null): string | null {
  const words = path.split('/')
  const parameter = words.findIndex((word) => word.startsWith('{'))
  if (parameter < 0) return named(words.at(-1), made)
  const name = words[parameter]?.slice(1, -1) ?? ''
  // A parameter that is not declared is free text. It may contain an API key by mistake, so it is not recorded.
  if (!isPathParam(name)) return null
  const param = pathParam(name)
  // A text that is not an id may contain a key as well.
  const id = param.read(texts[0] ?? '')
  return param.schema().safeParse(id).success ? named(words[parameter - 1], id) : null
}

const named = (word = '', id: unknown) =>
  /^[\w-]{1,64}$/.test(String(id ?? '')) ? `${kinds[word] ?? word}:${id}` : null
