import { Secret, TOTP } from 'otpauth'

const periodSeconds = 30

/** Codes of this many steps before and after the current one are accepted, for inexact clocks. */
const window = 1

/** What every authenticator app computes: RFC 6238 with SHA-1, six digits and 30 seconds. */
function totpOf(secret: string, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({
    ...names,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
  })
}

/** Generates a secret of 160 bits, as long as the key of the hash (RFC 4226, section 4); Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The URL that authenticator apps read, from a QR code for example. */
export function otpauthUrl(secret: string, names: { issuer: string; label: string }): string {
  return totpOf(secret, names).toString()
}

/** Whether a text looks like a code of an app; spaces, which apps show, are left out. */
export function readTotpCode(text: string): string | undefined {
  const code = text.replaceAll(' ', '')
  return /^\d{6}$/.test(code) ? code : undefined
}

/**
 * The step (number of the 30 seconds since the epoch) whose code this is, within one step of `now`
 * in milliseconds; undefined for a wrong code. Compares in constant time.
 */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window })
  return delta === null ? undefined : Math.floor(now / (periodSeconds * 1000)) + delta
}
