import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { createGate } from './gate.ts'

type Cost = Config['passwordCost']

/** Work of one hash: memory in KiB, passes over it, lanes. */
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

/** So that a storm of sign-ins leaves threads to the file system, and memory to everybody. */
const gate = createGate(2)

/** The argon2id hash of a password in PHC form, which carries its parameters and its salt. */
export async function hashPassword(password: string, cost: Cost): Promise<string> {
  const { memory, passes, parallelism } = works[cost]
  const nonce = randomBytes(16)
  const tag = await derive({ message: password, nonce, tagLength, memory, passes, parallelism })
  const parameters = `m=${memory},t=${passes},p=${parallelism}`
  return `$argon2id$v=19$${parameters}$${unpadded(nonce)}$${unpadded(tag)}`
}

/** Whether the password is the one that was hashed; takes the same time either way. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const { tag, ...parameters } = parse(stored)
  const derived = await derive({ message: password, tagLength: tag.length, ...parameters })
  return timingSafeEqual(derived, tag)
}

const dummies = new Map<Cost, Promise<string>>()

/** Spends the time of a verification where there is nothing to verify. */
export async function pretendToVerify(password: string, cost: Cost): Promise<void> {
  let dummy = dummies.get(cost)
  if (dummy === undefined) {
    dummy = hashPassword(randomBytes(16).toString('hex'), cost)
    dummies.set(cost, dummy)
  }
  await verifyPassword(password, await dummy)
}

function derive(parameters: Argon2Parameters): Promise<Buffer> {
  return gate(
    () =>
      new Promise((resolve, reject) => {
        argon2('argon2id', parameters, (error, tag) => (error ? reject(error) : resolve(tag)))
      }),
  )
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
  return bytes.toString('base64').replace(/=+$/, '')
}
