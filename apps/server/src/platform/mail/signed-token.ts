import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Database, findOrAddSigningKey } from '@stithy/store'

/** No token is longer. */
const maxLength = 500

const keys = new WeakMap<Database, Map<string, string>>()

/** A key of this instance, which all its servers share. */
async function keyFor(db: Database, purpose: string): Promise<string> {
  const known = keys.get(db) ?? new Map<string, string>()
  keys.set(db, known)
  const key = known.get(purpose) ?? (await findOrAddSigningKey(db, newKey(purpose)))
  known.set(purpose, key)
  return key
}

function newKey(name: string): { name: string; candidate: string } {
  return { name, candidate: randomBytes(32).toString('base64url') }
}

/**
 * Signs a text, so that only this instance can make the token: `text.signature`, both base64url.
 * @param purpose a token of one purpose is invalid for any other
 */
export async function signToken(db: Database, purpose: string, text: string): Promise<string> {
  const body = Buffer.from(text).toString('base64url')
  return `${body}.${signatureOf(await keyFor(db, purpose), body).toString('base64url')}`
}

/** The text of a token; undefined if this instance didn't sign it for the purpose. */
export async function readToken(
  db: Database,
  purpose: string,
  token: string,
): Promise<string | undefined> {
  if (token.length > maxLength) return undefined
  const [body = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0) return undefined
  const expected = signatureOf(await keyFor(db, purpose), body)
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return Buffer.from(body, 'base64url').toString()
}

function signatureOf(key: string, body: string): Buffer {
  return createHmac('sha256', key).update(body).digest()
}
