import {
  keyRestrictionErrors,
  publicKeyLine,
  type SshKeyType,
  sshKeyTypes,
  validationFailed,
} from '@stithy/core'
import type { App } from '../../platform/app.ts'

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
export async function readPublicKey(text: string): Promise<PublicKey> {
  const line = publicKeyLine(text)
  const parsed = line === undefined ? undefined : await parseLine(line)
  if (line === undefined || parsed === undefined) {
    throw validationFailed({ key: ['is invalid'], fingerprint: ['cannot be generated'] })
  }
  return { line, ...parsed }
}

async function parseLine(line: string): Promise<Omit<PublicKey, 'line'> | undefined> {
  // Most servers don't need it until somebody adds a key: its cryptography takes megabytes.
  const { default: sshpk } = await import('sshpk')
  try {
    const key = sshpk.parseKey(line, 'ssh')
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
export async function readAllowedKey(app: App, text: string): Promise<PublicKey> {
  const key = await readPublicKey(text)
  const errors = keyRestrictionErrors(key, keyRestrictions(app))
  if (errors.length > 0) throw validationFailed({ key: errors })
  return key
}

/** Whether the settings still allow a stored key. */
export async function isKeyAllowed(app: App, line: string): Promise<boolean> {
  const key = await parseLine(line)
  if (key === undefined) return false
  return keyRestrictionErrors(key, keyRestrictions(app)).length === 0
}

function keyRestrictions({ settings }: App): Record<SshKeyType, number> {
  return {
    rsa: settings.rsa_key_restriction,
    dsa: settings.dsa_key_restriction,
    ecdsa: settings.ecdsa_key_restriction,
    ed25519: settings.ed25519_key_restriction,
  }
}

/** Errors for a key that a user or project has already. */
export const keyTakenErrors = {
  fingerprint: ['has already been taken'],
  key: ['has already been taken'],
}
