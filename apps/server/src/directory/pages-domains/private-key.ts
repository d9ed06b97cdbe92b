import { createPrivateKey, type KeyObject } from 'node:crypto'
import { derContentStart } from './der.ts'

/** The first element of a key after its version in DER, by the label of its PEM. */
const formats = [
  // An algorithm: PrivateKeyInfo of RFC 5958.
  { label: 'PRIVATE KEY', type: 'pkcs8', next: 0x30 },
  // A number: RSAPrivateKey of RFC 8017.
  { label: 'RSA PRIVATE KEY', type: 'pkcs1', next: 0x02 },
  // The key: ECPrivateKey of RFC 5915.
  { label: 'EC PRIVATE KEY', type: 'sec1', next: 0x04 },
] as const

/** Identifiers of RSA, ECDSA and Ed25519 keys in DER. */
const algorithms = ['06092a864886f70d010101', '06072a8648ce3d0201', '06032b6570']

/**
 * Reads a private key of one of the types that certificates of sites have from PEM; undefined for
 * anything else, which is not even parsed: OpenSSL computes the public key of other types, which
 * takes minutes for a long one.
 */
export function readPrivateKey(pem: string): KeyObject | undefined {
  const found = formats
    .map((format) => ({ ...format, at: pem.indexOf(`-----BEGIN ${format.label}-----`) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at)[0]
  if (found === undefined) return undefined
  const { label, type, next } = found
  const start = found.at + `-----BEGIN ${label}-----`.length
  const end = pem.indexOf(`-----END ${label}-----`, start)
  if (end < 0) return undefined
  const der = Buffer.from(pem.slice(start, end), 'base64')
  if (!isKnown(der, next)) return undefined
  try {
    return createPrivateKey({ key: der, format: 'der', type })
  } catch {
    return undefined
  }
}

function isKnown(der: Buffer, next: number): boolean {
  const version = derContentStart(der, 0)
  const [tag, length] = der.subarray(version)
  const at = version + 3
  if (der[0] !== 0x30 || tag !== 0x02 || length !== 1 || der[at] !== next) return false
  if (next !== 0x30) return true
  const rest = der.subarray(derContentStart(der, at)).subarray(0, 16).toString('hex')
  return algorithms.some((algorithm) => rest.startsWith(algorithm))
}
