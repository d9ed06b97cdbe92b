import { generateKeyPairSync, sign } from 'node:crypto'

/** A certificate that signs itself, with its key, both as PEM. */
export interface TestCertificate {
  cert: string
  key: string
}

/** Makes a certificate that signs itself, valid for a host name until 2049 (RFC 5280). */
export function buildCertificate(host: string): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(ecdsaWithSha256)
  const name = sequence(set(sequence(commonName, tlv(0x0c, Buffer.from(host)))))
  const validity = sequence(time('200101000000Z'), time('491231235959Z'))
  const names = sequence(tlv(0x82, Buffer.from(host)))
  const isAuthority = sequence(basicConstraints, octets(sequence(yes)))
  const extensions = sequence(isAuthority, sequence(subjectAltName, octets(names)))
  const serial = tlv(0x02, Buffer.from([1]))
  const version3 = tlv(0xa0, tlv(0x02, Buffer.from([2])))
  const key = publicKey.export({ type: 'spki', format: 'der' })
  const signed = sequence(
    ...[version3, serial, algorithm, name, validity, name, key],
    tlv(0xa3, extensions),
  )
  const signature = tlv(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', signed, privateKey)]))
  const base64 = sequence(signed, algorithm, signature).toString('base64')
  const lines = base64.match(/.{1,64}/g) ?? []
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
}

/** A DSA key of so many bits in PKCS #8, as PEM; its numbers are made up. */
export function buildDsaKey(bits: number): string {
  const number = (length: number) => tlv(0x02, Buffer.alloc(length, 0x55))
  const parameters = sequence(number(bits / 8), number(32), number(bits / 8))
  const version = tlv(0x02, Buffer.from([0]))
  const der = sequence(version, sequence(dsa, parameters), octets(number(bits / 8)))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n')
}

/** An element in DER: its tag, its length and its contents. */
function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const contents = Buffer.concat(parts)
  const size = contents.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), contents])
}

const sequence = (...parts: Buffer[]) => tlv(0x30, ...parts)
const set = (...parts: Buffer[]) => tlv(0x31, ...parts)
const octets = (...parts: Buffer[]) => tlv(0x04, ...parts)
const time = (text: string) => tlv(0x17, Buffer.from(text))
const yes = tlv(0x01, Buffer.from([0xff]))
const identifier = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'))
const dsa = identifier('2a8648ce380401')
const ecdsaWithSha256 = identifier('2a8648ce3d040302')
const commonName = identifier('550403')
const basicConstraints = identifier('551d13')
const subjectAltName = identifier('551d11')
