import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { DomainError } from '@stithy/core'
import { Semaphore } from 'async-mutex'
import type { Config } from '../../platform/config/config.ts'
import { requestLimitTable } from '../../platform/config/request-limits.ts'

type Cost = Config['passwordCost']

/** Cost of one hash: memory in KiB, iterations, parallelism. */
interface Work {
  memory: number
  passes: number
  parallelism: number
}

const works: Record<Cost, Work> = {
  standard: { memory: 19_456, passes: 2, parallelism: 1 },
  minimal: { memory: 16, passes: 1, parallelism: 1 },
}

const tagLength = 32

/**
 * Limits concurrent hashing, so that many sign-ins at once exhaust neither the thread pool nor
 * memory.
 */
const hashing = new Semaphore(2)
const maxWaiting = requestLimitTable.signIn.waitingHashes.value
let waiting = 0

/** Hashes a password with argon2id; returns the PHC string, which contains parameters and salt. */
export async function hashPassword(password: string, cost: Cost): Promise<string> {
  const { memory, passes, parallelism } = works[cost]
  const nonce = randomBytes(16)
  const tag = await derive({ message: password, nonce, tagLength, memory, passes, parallelism })
  const parameters = `m=${memory},t=${passes},p=${parallelism}`
  return `$argon2id$v=19$${parameters}$${unpadded(nonce)}$${unpadded(tag)}`
}

/**
 * Whether the password matches the hash; takes the same time either way. Rejects when `signal`
 * aborts while it waits for others.
 */
export async function verifyPassword(
  password: string,
  stored: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const { tag, ...parameters } = parse(stored)
  const derived = await derive({ message: password, tagLength: tag.length, ...parameters }, signal)
  return timingSafeEqual(derived, tag)
}

const dummies = new Map<Cost, Promise<string>>()

/** Takes as long as a verification, for logins without an account. */
export async function simulateVerify(
  password: string,
  cost: Cost,
  signal?: AbortSignal,
): Promise<void> {
  let dummy = dummies.get(cost)
  if (dummy === undefined) {
    dummy = hashPassword(randomBytes(16).toString('hex'), cost)
    dummies.set(cost, dummy)
  }
  await verifyPassword(password, await dummy, signal)
}

/** @throws DomainError `unavailable` when too many hashes wait already. */
async function derive(parameters: Argon2Parameters, signal?: AbortSignal): Promise<Buffer> {
  if (waiting >= maxWaiting) throw new DomainError('unavailable', { retryAfter: 2 })
  waiting += 1
  const [, release] = await hashing.acquire().finally(() => {
    waiting -= 1
  })
  try {
    signal?.throwIfAborted()
    return await promisify(argon2)('argon2id', parameters)
  } finally {
    release()
  }
}

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function parse(stored: string): Work & { nonce: Buffer; tag: Buffer } {
  const match = phcPattern.exec(stored)
  if (match === null) throw new TypeError('A stored password hash is malformed')
  const [, memory, passes, parallelism, nonce = '', tag = ''] = match
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
