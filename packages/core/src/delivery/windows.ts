import type { Capacity } from './allocation.js'
import type { Lane } from './delivery-queue.js'

/** How many attempts may be under way at once: in total, and at most to one target. */
export interface Concurrency {
  readonly total: number
  readonly perTarget: number
}

interface MutableWindow {
  /** Attempts that the target may have under way. */
  size: number
  inFlight: number
  /** Trusted when it answered the last time, suspect when it did not. */
  trust: 'new' | 'trusted' | 'suspect'
  /** Which start of all was its latest. */
  lastStart: number
  /** First attempts that have started since the last retry did. */
  sinceRetry: number
  /** How long it took to answer, on a moving average; in milliseconds. */
  answerMs: number
}

/** What is known of a target, as of now. */
export type Window = Readonly<MutableWindow>

/** An answer that took longer counts as this: who takes a second is slow enough. */
const slowMs = 1000

const unknown: Window = { size: 1, inFlight: 0, trust: 'new', lastStart: 0, sinceRetry: 0, answerMs: slowMs }

const average = (before: number, tookMs: number): number => before + (Math.min(tookMs, slowMs) - before) / 8

/** Attempts that may start to the target right now, were it alone. */
const roomIn = ({ size, inFlight }: Window): number => Math.max(0, size - inFlight)

/** Orders targets: the fewest attempts under way first, and among equals the one that started longest ago. */
export const compareWindows = (a: Window, b: Window): number => a.inFlight - b.inFlight || a.lastStart - b.lastStart

/**
 * One window per target, so that a slow receiver delays nobody else. It opens at 1, doubles with each answer up to the
 * limit, and falls back to 1 when an answer never comes. All targets that did not answer the last time together get at
 * most a quarter of the total; a new one is not among them, or it would wait behind 200 that hang.
 */
export class Windows implements Capacity {
  readonly #concurrency: Concurrency
  readonly #windows = new Map<string, MutableWindow>()
  #starts = 0
  #inFlight = 0
  #suspectInFlight = 0
  #retriesInFlight = 0
  #answerMs = slowMs

  constructor(concurrency: Concurrency) {
    this.#concurrency = concurrency
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** Attempts that may start in total right now. */
  get capacity(): number {
    return this.#concurrency.total - this.#inFlight
  }

  /** Attempts that may start within the quarter for suspect targets. */
  get suspectCapacity(): number {
    return Math.max(1, Math.floor(this.#concurrency.total / 4)) - this.#suspectInFlight
  }

  /** Attempts still missing to the quarter that overdue retries may claim. */
  get retriesOwed(): number {
    const { total } = this.#concurrency
    const quarter = Math.max(total > 1 ? 1 : 0, Math.floor(total / 4))
    return Math.max(0, quarter - this.#retriesInFlight)
  }

  /** A target's own quarter: where both wait, at least one start in four is a retry, and no more than that goes ahead. */
  isRetryTurn(target: string): boolean {
    return (this.#windows.get(target) ?? unknown).sinceRetry >= 3
  }

  /** As compareWindows. */
  compare(a: string, b: string): number {
    return compareWindows(this.#windows.get(a) ?? unknown, this.#windows.get(b) ?? unknown)
  }

  /** A target's own, which goes on telling what is: whoever asks of many targets again and again need not look for each. */
  of(target: string): Window {
    return this.#of(target)
  }

  /** Whether the window has capacity for one attempt more, and where it is a suspect's, all suspects' together. */
  mayStart(window: Window): boolean {
    return roomIn(window) > 0 && (window.trust !== 'suspect' || this.suspectCapacity > 0)
  }

  isTrusted(target: string): boolean {
    return this.#windows.get(target)?.trust === 'trusted'
  }

  isSuspect(target: string): boolean {
    return this.#windows.get(target)?.trust === 'suspect'
  }

  /** How long answers take on a moving average: those of all targets, and at first as long as any; in milliseconds. */
  get answerMs(): number {
    return this.#answerMs
  }

  /** Attempts that may start to this target right now, were it alone. */
  roomOf(target: string): number {
    return roomIn(this.#windows.get(target) ?? unknown)
  }

  started(target: string, lane: Lane): void {
    const window = this.#of(target)
    window.inFlight += 1
    window.lastStart = ++this.#starts
    this.#inFlight += 1
    window.sinceRetry = lane === 'retry' ? 0 : window.sinceRetry + 1
    if (lane === 'retry') this.#retriesInFlight += 1
    if (window.trust === 'suspect') this.#suspectInFlight += 1
  }

  /**
   * @param answered false when the target was unreachable or too slow; null when nothing was sent
   * @param tookMs how long it took to answer; unless said, as long as any
   */
  ended(target: string, lane: Lane, answered: boolean | null, tookMs = slowMs): void {
    const window = this.#windows.get(target)
    if (window === undefined) return
    if (window.trust === 'suspect') this.#suspectInFlight -= 1
    window.inFlight -= 1
    this.#inFlight -= 1
    if (lane === 'retry') this.#retriesInFlight -= 1
    if (answered !== null) this.#judge(window, answered)
    if (answered !== true) return
    window.answerMs = average(window.answerMs, tookMs)
    this.#answerMs = average(this.#answerMs, tookMs)
  }

  #of(target: string): MutableWindow {
    const known = this.#windows.get(target)
    if (known !== undefined) return known
    const window = { ...unknown }
    this.#windows.set(target, window)
    return window
  }

  #judge(window: MutableWindow, answered: boolean): void {
    window.size = answered ? Math.min(window.size * 2, this.#concurrency.perTarget) : 1
    const trust = answered ? 'trusted' : 'suspect'
    if (window.trust === trust) return
    if (trust === 'suspect') this.#suspectInFlight += window.inFlight
    else if (window.trust === 'suspect') this.#suspectInFlight -= window.inFlight
    window.trust = trust
  }
}
