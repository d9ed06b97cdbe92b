import { publicKeyLine, validationFailed } from '@stithy/core'
import { parseKey } from 'sshpk'

/** A parsed public key. */
export interface PublicKey {
  /** OpenSSH's one-line form, with the comment as sent. */
  line: string
  /** `SHA256:…`, the same for every spelling of the key. */
  fingerprint: string
}

/** Parses an OpenSSH public key. @throws DomainError `validation_failed` for any other text. */
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

/** Errors for a key that a user or project has already. */
export const keyTakenErrors = {
  fingerprint: ['has already been taken'],
  key: ['has already been taken'],
}
