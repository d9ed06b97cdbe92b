import { LRUCache } from 'lru-cache'
import { createSlots, type Slots } from '../broker/slots.ts'
import type { Git, Repository } from '../git.ts'
import { GitError, type GitErrorCode } from '../git-error.ts'
import { readLimits } from './read-limits.ts'

/** A read that may take long, for any number of callers. */
export interface SlowRead<T> {
  /** Names everything that determines the result, the limits included; without the scope. */
  key: string
  /** What a failure is remembered by; default: `key`. */
  failureKey?: string
  /** Fails with a GitError if `signal`, which is aborted when the last caller has gone, is. */
  read: (signal: AbortSignal) => Promise<T>
  /** Aborted when this caller doesn't need the result any more. */
  signal?: AbortSignal | undefined
}

interface Running {
  result: Promise<unknown>
  callers: number
  controller: AbortController
}

interface RepositorySlots extends Slots {
  users: number
}

interface State {
  failures: LRUCache<string, GitError>
  running: Map<string, Running>
  slots: Map<string, RepositorySlots>
}

const states = new WeakMap<Git, State>()

/** Bytes of all remembered failures. */
const failureBytes = 4 * 1024 * 1024
/** A limit of time may be kept another time: the machine was busy. */
const slowMs = 10 * 60_000

function stateOf(git: Git): State {
  const known = states.get(git)
  if (known) return known
  const failures = new LRUCache<string, GitError>({
    maxSize: failureBytes,
    sizeCalculation: ({ message, stderr }, key) => 500 + 2 * (key + message + stderr).length,
  })
  const state: State = { failures, running: new Map(), slots: new Map() }
  states.set(git, state)
  return state
}

/** Failures that another attempt would not change, and for how many milliseconds. */
const remembered: Partial<Record<GitErrorCode, number>> = {
  output_limit: Number.POSITIVE_INFINITY,
  memory_limit: Number.POSITIVE_INFINITY,
  timeout: slowMs,
}

function scopedKey(git: Git, repository: Repository, key: string): string {
  return git.parts.scopeOf(repository.path) + key
}

/** Remembers that a read exceeded a limit; other errors are ignored. */
export function rememberFailure(
  git: Git,
  repository: Repository,
  key: string,
  error: unknown,
): void {
  const ms = error instanceof GitError ? remembered[error.code] : undefined
  if (!(error instanceof GitError) || ms === undefined) return
  const { code, message } = error
  const ttl = Number.isFinite(ms) ? { ttl: ms } : {}
  stateOf(git).failures.set(scopedKey(git, repository, key), new GitError(code, message), ttl)
}

/** The failure of an earlier read that another attempt would not change. */
export function failureOfRead(git: Git, repository: Repository, key: string): GitError | undefined {
  return stateOf(git).failures.get(scopedKey(git, repository, key))
}

/**
 * Reads what an anonymous caller may ask for and a hostile repository can make expensive:
 * concurrent callers share one read, few run at a time in one repository, and one that exceeded its
 * limits fails from then on without another attempt (after a limit of time for ten minutes). The
 * result is for the caller to cache.
 * @throws GitError `aborted`, and those of `read`.
 */
export async function readSlowly<T>(
  git: Git,
  repository: Repository,
  { key: name, failureKey = name, read, signal }: SlowRead<T>,
): Promise<T> {
  const failure = failureOfRead(git, repository, failureKey)
  if (failure) throw failure
  const { running } = stateOf(git)
  const key = scopedKey(git, repository, name)
  const shared = running.get(key) ?? start(git, repository, { key, failureKey, read })
  shared.callers += 1
  try {
    return (await abortable(shared.result, signal)) as T
  } finally {
    shared.callers -= 1
    if (shared.callers === 0) shared.controller.abort()
  }
}

function start<T>(
  git: Git,
  repository: Repository,
  { key, failureKey, read }: Required<Omit<SlowRead<T>, 'signal'>>,
): Running {
  const { running } = stateOf(git)
  const controller = new AbortController()
  const { signal } = controller
  const entry: Running = { callers: 0, controller, result: Promise.resolve() }
  const forget = () => {
    if (running.get(key) === entry) running.delete(key)
  }
  entry.result = inSlot(git, repository, signal, () => read(signal))
    .catch((error: unknown) => {
      rememberFailure(git, repository, failureKey, error)
      throw error
    })
    .finally(forget)
  // Nobody may be left to see it fail. Who comes after the last caller has gone starts anew.
  entry.result.catch(() => {})
  signal.addEventListener('abort', forget, { once: true })
  running.set(key, entry)
  return entry
}

async function inSlot<T>(
  git: Git,
  { path }: Repository,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const { slots } = stateOf(git)
  const own = slots.get(path) ?? { ...createSlots(readLimits.slowReads), users: 0 }
  slots.set(path, own)
  own.users += 1
  const release = await own.take()
  try {
    if (signal.aborted) throw new GitError('aborted', 'aborted by the caller')
    return await work()
  } finally {
    release()
    own.users -= 1
    if (own.users === 0) slots.delete(path)
  }
}

/** Settles as the promise does, or fails as soon as the signal is aborted. */
async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(new GitError('aborted', 'aborted by the caller'))
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
