import {
  keyRestrictionErrors,
  publicKeyLine,
  type SshKeyType,
  sshKeyTypes,
  validationFailed,
} from '@stithy/core'
import { findSettings, type Queries } from '@stithy/store'
import { parseKey } from 'sshpk'

/** A parsed public key. */
export interface PublicKey {
  /** OpenSSH's one-line form, with the comment as sent. */
  line: string
  /** `SHA256:…`, the same for every spelling of the key. */
  fingerprint: string
  /** `aa:bb:…` */
  fingerprintMd5: string
  type: SshKeyType
  /** Size in bits. */
  bits: number
}

/** Parses an OpenSSH public key. @throws DomainError `validation_failed` for any other text. */
export function readPublicKey(text: string): PublicKey {
  const line = publicKeyLine(text)
  const parsed = line === undefined ? undefined : parseLine(line)
  if (line === undefined || parsed === undefined) {
    throw validationFailed({ key: ['is invalid'], fingerprint: ['cannot be generated'] })
  }
  return { line, ...parsed }
}

function parseLine(line: string): Omit<PublicKey, 'line'> | undefined {
  try {
    const key = parseKey(line, 'ssh')
    const type = sshKeyTypes.find((name) => name === key.type)
    if (type === undefined) return undefined
    return {
      fingerprint: key.fingerprint('sha256').toString(),
      fingerprintMd5: key.fingerprint('md5').toString('hex'),
      type,
      bits: key.size,
    }
  } catch {
    return undefined
  }
}

/**
 * Parses an OpenSSH public key whose type and size the settings `<type>_key_restriction` allow.
 * @throws DomainError `validation_failed`
 */
export async function readAllowedKey(q: Queries, text: string): Promise<PublicKey> {
  const key = readPublicKey(text)
  const errors = keyRestrictionErrors(key, await findKeyRestrictions(q))
  if (errors.length > 0) throw validationFailed({ key: errors })
  return key
}

/** Whether the settings still allow a stored key. */
export async function isKeyAllowed(q: Queries, line: string): Promise<boolean> {
  const key = parseLine(line)
  if (key === undefined) return false
  return keyRestrictionErrors(key, await findKeyRestrictions(q)).length === 0
}

async function findKeyRestrictions(q: Queries): Promise<Record<SshKeyType, number>> {
  const settings = await findSettings(
    q,
    sshKeyTypes.map((type) => `${type}_key_restriction` as const),
  )
  const minimum = (type: SshKeyType) => Number(settings[`${type}_key_restriction`] ?? 0)
  return {
    rsa: minimum('rsa'),
    dsa: minimum('dsa'),
    ecdsa: minimum('ecdsa'),
    ed25519: minimum('ed25519'),
  }
}

/** Errors for a key that a user or project has already. */
export const keyTakenErrors = {
  fingerprint: ['has already been taken'],
  key: ['has already been taken'],
}
