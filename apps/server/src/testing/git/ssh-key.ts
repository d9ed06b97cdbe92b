import { randomBytes } from 'node:crypto'

const type = 'ssh-ed25519'

function field(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** A unique public key, in OpenSSH's one-line form. */
export function buildPublicKey(comment = 'test'): string {
  const blob = Buffer.concat([field(Buffer.from(type)), field(randomBytes(32))])
  return `${type} ${blob.toString('base64')} ${comment}`
}
