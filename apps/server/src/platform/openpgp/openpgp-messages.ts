/** A user ID of a key that the key itself has certified. */
export interface KeyUserId {
  name: string
  email: string
}

/** What is known of a public key. Key IDs have 16 hexadecimal digits; all are upper case. */
export interface PublicKeyFacts {
  keyId: string
  fingerprint: string
  userIds: KeyUserId[]
  /** The subkeys that may sign, whether or not they are expired. */
  signingSubkeys: { keyId: string; fingerprint: string }[]
}

/** A detached signature with the bytes that it is of. */
export interface SignedBytes {
  armoredSignature: string
  payload: Uint8Array
}

/** What the thread can be asked for. */
export type OpenPgpRequest =
  | { task: 'readKey'; armoredKey: string }
  | { task: 'readIssuer'; armoredSignature: string }
  | ({ task: 'verify'; armoredKey: string } & SignedBytes)

/** What the thread answers: `null` for a text that cannot be parsed. */
export interface OpenPgpAnswers {
  readKey: PublicKeyFacts | null
  /** The ID of the key that made the signature. */
  readIssuer: string | null
  verify: boolean
}
