import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A certificate with its key, both as PEM. */
export interface IssuedCertificate {
  cert: string
  key: string
}

const rsa = ['-newkey', 'rsa:2048']

interface Issue {
  /** The name of the certificate that issues it; itself without one. */
  issuer?: string
  /** Options of OpenSSL for a new key; RSA with 2048 bits by default. */
  key?: readonly string[]
}

/** Makes certificates with OpenSSL, by their names; issuers come before what they issue. */
export async function issueCertificates<Name extends string>(
  issues: Record<Name, Issue>,
): Promise<Record<Name, IssuedCertificate>> {
  const folder = await mkdtemp(join(tmpdir(), 'stithy-certificates-'))
  const issued = {} as Record<Name, IssuedCertificate>
  try {
    for (const name of Object.keys(issues) as Name[]) {
      const { issuer, key = rsa } = issues[name]
      const [certFile, keyFile] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
      const signing = issuer && [
        ...['-CA', join(folder, `${issuer}.pem`), '-CAkey', join(folder, `${issuer}.key`)],
      ]
      await run('openssl', [
        ...['req', '-x509', '-nodes', ...key, '-keyout', keyFile, '-out', certFile],
        ...['-subj', `/O=Example/CN=${name}`, '-days', '36500', ...(signing ?? [])],
        ...['-addext', 'basicConstraints=CA:TRUE', '-addext', `subjectAltName=DNS:${name}.example`],
      ])
      issued[name] = {
        cert: await readFile(certFile, 'utf8'),
        key: await readFile(keyFile, 'utf8'),
      }
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  return issued
}

/** Encrypts a private key with OpenSSL. */
export async function encryptKey(key: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stithy-key-'))
  try {
    await writeFile(join(folder, 'key'), key)
    const { stdout } = await run('openssl', [
      ...['pkcs8', '-topk8', '-in', join(folder, 'key'), '-passout', 'pass:secret'],
    ])
    return stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}
