import type { Generated } from 'kysely'

/** OpenPGP public keys of users. */
export interface GpgKeysTable {
  id: Generated<number>
  userId: number
  /** Armored. */
  key: string
  /** Upper-case hexadecimal digits. */
  fingerprint: string
  /** Sixteen upper-case hexadecimal digits. */
  keyId: string
  /** JSON array of `{name, email}`: what the key certifies. */
  userIds: string
  createdAt: number
}

/** The subkeys of OpenPGP keys that may sign. */
export interface GpgSubkeysTable {
  id: Generated<number>
  gpgKeyId: number
  /** Sixteen upper-case hexadecimal digits. */
  keyId: string
  /** Upper-case hexadecimal digits. */
  fingerprint: string
}
