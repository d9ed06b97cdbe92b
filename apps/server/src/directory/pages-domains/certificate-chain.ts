import { type KeyObject, X509Certificate } from 'node:crypto'
import { type FieldErrors, validationFailed } from '@stithy/core'
import { requestLimitTable } from '../../platform/config/request-limits.ts'
import { readPrivateKey } from './private-key.ts'

const [begin, end] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----']

const maxCertificates = requestLimitTable.pagesDomain.certificates.value

/** In bits; a signature with a longer key takes longer. */
const rsaBits = { min: 2048, max: 8192 }

/** That of an RSA key; a longer one makes checks of signatures take as long as signing. */
const maxExponent = 2n ** 64n - 1n

/** A certificate, followed by those that have issued the ones before them. */
export type CertificateChain = readonly [X509Certificate, ...X509Certificate[]]

/**
 * Reads PEM with a certificate and its intermediates; text around them is ignored, as OpenSSL does.
 * @throws DomainError `validation_failed`
 */
export function readChain(pem: string): CertificateChain {
  const blocks = blocksOf(pem)
  if (blocks.length > maxCertificates) {
    throw invalid('certificate', `has too many certificates (maximum is ${maxCertificates})`)
  }
  const [first, ...others] = blocks.map(readCertificate)
  if (first === undefined) throw invalid('certificate', 'must be a certificate in PEM')
  checkOrder([first, ...others])
  return [first, ...others]
}

function blocksOf(pem: string): string[] {
  const blocks: string[] = []
  for (let from = pem.indexOf(begin); from >= 0; ) {
    const to = pem.indexOf(end, from)
    if (to < 0) break
    blocks.push(pem.slice(from, to + end.length))
    if (blocks.length > maxCertificates) break
    from = pem.indexOf(begin, to)
  }
  return blocks
}

function readCertificate(block: string, index: number): X509Certificate {
  const certificate = parseCertificate(block)
  if (certificate === undefined) throw invalid('certificate', `${placeOf(index)} can't be read`)
  const problem = costProblem(certificate.publicKey)
  if (problem !== undefined) throw invalid('certificate', `${placeOf(index)} ${problem}`)
  return certificate
}

/** Undefined for what is no certificate, and for one whose key is of an unknown type. */
function parseCertificate(block: string): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(block)
    return certificate.publicKey.type === 'public' ? certificate : undefined
  } catch {
    return undefined
  }
}

function checkOrder(chain: CertificateChain): void {
  for (const [index, issuer] of chain.entries()) {
    const issued = chain[index - 1]
    if (issued === undefined || isIssuedBy(issued, issuer)) continue
    const problem = `${placeOf(index)} has not issued ${placeOf(index - 1)}: they must be in order, the most specific first`
    throw invalid('certificate', problem)
  }
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  } catch {
    return false
  }
}

function placeOf(index: number): string {
  return `certificate ${index + 1}`
}

/**
 * Reads the private key of a certificate from PEM.
 * @throws DomainError `validation_failed`, also for an encrypted one, and for that of another
 *   certificate
 */
export function readKeyOf(certificate: X509Certificate, pem: string): KeyObject {
  const key = readKey(pem)
  if (!certificate.checkPrivateKey(key)) {
    throw invalid('key', "doesn't match the certificate")
  }
  return key
}

function readKey(pem: string): KeyObject {
  if (pem.includes('ENCRYPTED')) throw invalid('key', 'must not be encrypted')
  const key = readPrivateKey(pem)
  if (key === undefined) throw invalid('key', 'must be an RSA, ECDSA or Ed25519 key in PEM')
  const problem = keyProblem(key)
  if (problem !== undefined) throw invalid('key', problem)
  return key
}

/** What is wrong with the private key of a site; undefined if nothing is. */
function keyProblem(key: KeyObject): string | undefined {
  const { asymmetricKeyType: type, asymmetricKeyDetails } = key
  if (type !== 'rsa' && type !== 'ec' && type !== 'ed25519') {
    return 'must be an RSA, ECDSA or Ed25519 key'
  }
  const { modulusLength = rsaBits.min } = asymmetricKeyDetails ?? {}
  const bits = `must have ${rsaBits.min} to ${rsaBits.max} bits`
  return modulusLength < rsaBits.min || modulusLength > rsaBits.max ? bits : costProblem(key)
}

/** What would make signatures with a key take long; undefined if nothing does. */
function costProblem({ asymmetricKeyType: type, asymmetricKeyDetails }: KeyObject) {
  const { modulusLength = 0, publicExponent = 0n, namedCurve } = asymmetricKeyDetails ?? {}
  if (type === 'dsa') return 'must not have a DSA key'
  if (modulusLength > rsaBits.max) return `must have a key of at most ${rsaBits.max} bits`
  if (publicExponent > maxExponent) return 'must have a key with an exponent of at most 64 bits'
  return type === 'ec' && namedCurve === undefined ? 'must have a key of a named curve' : undefined
}

function invalid(field: 'certificate' | 'key', text: string) {
  const fields: FieldErrors = { [field]: [text] }
  return validationFailed(fields)
}
