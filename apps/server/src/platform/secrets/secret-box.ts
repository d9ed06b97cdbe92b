import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { readOrCreate } from './stored-file.ts'

/** Encrypts what the server has to know in plain text, and a copy of its database should not tell. */
export interface SecretBox {
  /**
   * @param purpose what the secret is for; it opens for the same purpose only, so that nobody who
   *   can write to the database has it sent somewhere else
   */
  seal(secret: string, purpose: string): string
  /** Undefined for what was sealed with another key or for another purpose, or was changed. */
  open(sealed: string, purpose: string): string | undefined
  /** A name that instances with the same key have in common, of 16 hexadecimal digits. */
  fingerprint(purpose: string): string
}

declare module '../app.ts' {
  interface App {
    secrets: SecretBox
  }
}

/** The key's file in the data folder, as hexadecimal digits. */
const fileName = 'secret_key'

const algorithm = 'aes-256-gcm'
const keyBytes = 32
/** NIST SP 800-38D, section 8.2.2: random nonces of 96 bits. */
const nonceBytes = 12
const tagBytes = 16

/** Marks the format, so that another can follow it. */
const prefix = 'v1.'

/**
 * Opens the box with `STITHY_SECRET_KEY`, or the key that the first start writes to the data
 * folder. Servers that share a database need the same key.
 */
export async function loadSecretBox({ data, secretKey }: Config): Promise<SecretBox> {
  const generate = () => randomBytes(keyBytes).toString('hex')
  return createSecretBox(secretKey ?? (await readOrCreate(join(data, fileName), generate)).trim())
}

/** @param secretKey a text of at least 256 random bits */
export function createSecretBox(secretKey: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'stithy secrets at rest', keyBytes))
  return {
    seal(secret, purpose) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(purpose))
      const sealed = [nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return prefix + Buffer.concat(sealed).toString('base64url')
    },
    fingerprint: (purpose) =>
      createHmac('sha256', key).update(`fingerprint ${purpose}`).digest('hex').slice(0, 16),
    open(sealed, purpose) {
      if (!sealed.startsWith(prefix)) return undefined
      const bytes = Buffer.from(sealed.slice(prefix.length), 'base64url')
      if (bytes.length < nonceBytes + tagBytes) return undefined
      const nonce = bytes.subarray(0, nonceBytes)
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(purpose))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      try {
        const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}
