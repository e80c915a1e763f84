import { networkOf } from '@sav/core/adapter'
import type { BodyBudget } from './exchange.js'
import { beyondBudget } from './failures.js'

/** The part of the budget that one body holds until it is released. */
export interface BodyReservation extends BodyBudget {
  release(): void
}

/** The owner of the body. */
export interface BodyOwner {
  readonly account_id: string
  readonly id: string
}

/** The size limit of a body: ten photos and a signature in base64 fit. */
export const maxBodyBytes = 72 * 1024 * 1024

/** A body of at most this many bytes is small, as most writes are. */
const smallBytes = 64 * 1024

/** The part of the memory for small bodies, so that everyday writes succeed while large bodies use the rest. */
const smallPart = 1 / 8
/** The share of each part for the bodies of one key together; a single body may use more. */
const keyShare = 1 / 3
/** The same share, for all keys of one account together. */
const accountShare = 2 / 3

/** A budget of `maxBytes` of memory for all concurrent bodies: each call makes its own reservation. */
export function bodyBudget(maxBytes: number): (owner: BodyOwner) => BodyReservation {
  const small = new Part(Math.floor(maxBytes * smallPart))
  const large = new Part(maxBytes - small.maxBytes)

  return ({ account_id, id }) => {
    const owner = { key: `${account_id}/${id}`, account: account_id }
    let part = small
    let held = 0
    return {
      maxBytes: maxBodyBytes,
      maxMs: Number.POSITIVE_INFINITY,
      hold(bytes) {
        const next = bytes <= Math.min(smallBytes, small.maxBytes) ? small : large
        const free = next === part ? held : 0
        if (!next.replace(owner, free, bytes)) return false
        if (next !== part) part.replace(owner, held, 0)
        part = next
        held = bytes
        return true
      },
      release() {
        part.replace(owner, held, 0)
        held = 0
      },
    }
  }
}

/** How many bodies of calls without a key or session are received at once. */
const strangersAtOnce = 64
/** How many such bodies are received at once from one address, or one IPv6 /64. */
const strangersOfAddress = 4
/** The size limit of each such body: a percent-encoded reason of a few hundred characters fits, or a passkey. */
const strangerBytes = 16 * 1024
/** The time limit of each such body. A browser sends a form in less. */
const strangerMs = 5000

/**
 * Reads the bodies of calls without a key or a session, outside the memory budget. While half of the allowed number are
 * being received, only an address that has none in progress can begin another.
 */
export type ReadFromStranger = <T>(ip: string, read: (budget: BodyBudget) => Promise<T>) => Promise<T>

export function strangersBodies(): ReadFromStranger {
  const underWay = new Map<string, number>()
  let all = 0

  function add(address: string, change: 1 | -1): void {
    all += change
    set(underWay, address, (underWay.get(address) ?? 0) + change)
  }

  return async (ip, read) => {
    const address = networkOf(ip)
    const own = underWay.get(address) ?? 0
    if (own >= strangersOfAddress || all >= (own === 0 ? strangersAtOnce : strangersAtOnce / 2)) throw beyondBudget()
    add(address, 1)
    try {
      return await read({ maxBytes: strangerBytes, maxMs: strangerMs, hold: () => true })
    } finally {
      add(address, -1)
    }
  }
}

/** The bytes that bodies hold: in total, of each key and of each account. */
class Part {
  readonly maxBytes: number
  #held = 0
  readonly #byKey = new Map<string, number>()
  readonly #byAccount = new Map<string, number>()

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /**
   * Changes a body's reservation from `before` to `bytes`. Returns false, and changes nothing, if that exceeds the
   * total or the share of its key or account.
   */
  replace(
    { key, account }: { readonly key: string; readonly account: string },
    before: number,
    bytes: number,
  ): boolean {
    const others = this.#held - before
    const ofKey = (this.#byKey.get(key) ?? 0) - before
    const ofAccount = (this.#byAccount.get(account) ?? 0) - before
    if (
      bytes > before &&
      (others + bytes > this.maxBytes ||
        (ofKey > 0 && ofKey + bytes > this.maxBytes * keyShare) ||
        (ofAccount > 0 && ofAccount + bytes > this.maxBytes * accountShare))
    )
      return false
    this.#held = others + bytes
    set(this.#byKey, key, ofKey + bytes)
    set(this.#byAccount, account, ofAccount + bytes)
    return true
  }
}

function set(held: Map<string, number>, name: string, bytes: number): void {
  if (bytes === 0) held.delete(name)
  else held.set(name, bytes)
}
