import type { X509Certificate } from 'node:crypto'
import { derContentStart } from './der.ts'

/** `CN=a\nO=b`, as Node.js writes names, in one line. */
function inLine(name: string | undefined, separator: string): string {
  return (name ?? '').split('\n').join(separator)
}

/** The name of whom a certificate is for, as v4 clients know it: `/O=b/CN=a`. */
export function subjectOf({ subject }: X509Certificate): string {
  return `/${inLine(subject, '/')}`
}

/**
 * A certificate as text for people, laid out like that of `openssl x509 -text`. The bytes of the key
 * and of the signature are left out, and extensions that Node.js doesn't know.
 */
export function certificateText(certificate: X509Certificate): string {
  const version = versionOf(certificate.raw)
  return [
    'Certificate:',
    '    Data:',
    `        Version: ${version} (0x${version - 1})`,
    '        Serial Number:',
    `            ${pairs(certificate.serialNumber.toLowerCase())}`,
    `        Signature Algorithm: ${certificate.signatureAlgorithm ?? 'unknown'}`,
    `        Issuer: ${inLine(certificate.issuer, ', ')}`,
    '        Validity',
    `            Not Before: ${certificate.validFrom}`,
    `            Not After : ${certificate.validTo}`,
    `        Subject: ${inLine(certificate.subject, ', ')}`,
    '        Subject Public Key Info:',
    ...keyLines(certificate),
    ...extensionLines(certificate),
    '    SHA256 Fingerprint:',
    `        ${certificate.fingerprint256}`,
    '',
  ].join('\n')
}

function keyLines({ publicKey }: X509Certificate): string[] {
  const { modulusLength, namedCurve } = publicKey.asymmetricKeyDetails ?? {}
  const lines = [`            Public Key Algorithm: ${publicKey.asymmetricKeyType ?? 'unknown'}`]
  if (modulusLength !== undefined) lines.push(`                Public-Key: (${modulusLength} bit)`)
  if (namedCurve !== undefined) lines.push(`                ASN1 OID: ${namedCurve}`)
  return lines
}

function extensionLines(certificate: X509Certificate): string[] {
  const { ca, subjectAltName, keyUsage, infoAccess } = certificate
  const known: [string, string | undefined][] = [
    ['X509v3 Basic Constraints', ca ? 'CA:TRUE' : 'CA:FALSE'],
    ['X509v3 Extended Key Usage', keyUsage?.join(', ')],
    ['X509v3 Subject Alternative Name', subjectAltName],
    ['Authority Information Access', infoAccess?.trim()],
  ]
  const lines = known.flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`            ${name}:`, ...value.split('\n').map((line) => `                ${line}`)],
  )
  return ['        X509v3 extensions:', ...lines]
}

/** `01:ab` of `01ab`. */
function pairs(digits: string): string {
  return (digits.match(/../g) ?? []).join(':')
}

/** RFC 5280, section 4.1: without a version it is 1. */
function versionOf(der: Buffer): number {
  const first = derContentStart(der, derContentStart(der, 0))
  const explicitVersion = 0xa0
  if (der[first] !== explicitVersion) return 1
  return (der[derContentStart(der, derContentStart(der, first))] ?? 0) + 1
}
