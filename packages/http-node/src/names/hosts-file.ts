import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'

type Hosts = ReadonlyMap<string, readonly string[]>

/** The addresses of each name in a hosts file, in order. */
export function readHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names.map((each) => each.toLowerCase())) {
      const known = hosts.get(name)
      if (known === undefined) hosts.set(name, [address])
      else if (!known.includes(address)) known.push(address)
    }
  }
  return hosts
}

/**
 * A hosts file that is read again when it changes. It is read synchronously, because a look-up must not wait for a
 * thread. A missing file has no names.
 */
export class HostsFile {
  readonly #path: string
  #version = ''
  #hosts: Hosts = new Map()

  constructor(path: string) {
    this.#path = path
  }

  /** @param hostname in lower case, without a trailing dot */
  addressesOf(hostname: string): readonly string[] | undefined {
    try {
      const { mtimeMs, size, ino } = statSync(this.#path)
      const version = `${mtimeMs} ${size} ${ino}`
      if (version !== this.#version) this.#hosts = readHosts(readFileSync(this.#path, 'utf8'))
      this.#version = version
    } catch {
      this.#hosts = new Map()
      this.#version = ''
    }
    return this.#hosts.get(hostname)
  }
}
