import { publicKeyLine, validationFailed } from '@stithy/core'
import { parseKey } from 'sshpk'

/** A public key that was understood. */
export interface PublicKey {
  /** OpenSSH's one-line form, with the comment that was sent. */
  line: string
  /** `SHA256:…`, the same for every spelling of the key. */
  fingerprint: string
}

/** @throws DomainError `validation_failed` for what is no OpenSSH public key. */
export function readPublicKey(text: string): PublicKey {
  const line = publicKeyLine(text)
  const fingerprint = line === undefined ? undefined : fingerprintOf(line)
  if (line === undefined || fingerprint === undefined) {
    throw validationFailed({ key: ['is invalid'], fingerprint: ['cannot be generated'] })
  }
  return { line, fingerprint }
}

function fingerprintOf(line: string): string | undefined {
  try {
    return parseKey(line, 'ssh').fingerprint('sha256').toString()
  } catch {
    return undefined
  }
}

/** What is said of a key that somebody has, a person or a project (catalogue: users, SSH keys). */
export const takenKeyErrors = {
  fingerprint: ['has already been taken'],
  key: ['has already been taken'],
}
