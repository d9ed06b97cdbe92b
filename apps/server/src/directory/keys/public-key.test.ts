import { generateKeyPairSync } from 'node:crypto'
import { parsePrivateKey } from 'sshpk'
import { describe, expect, it } from 'vitest'
import { buildPublicKey } from '../../testing/git/ssh-key.ts'
import { readPublicKey } from './public-key.ts'

function publicLine(privatePem: string): string {
  return parsePrivateKey(privatePem, 'pem').toPublic().toString('ssh')
}

const rsa = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
const ecdsa = () =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
  })

describe('readPublicKey', () => {
  it.each([
    ['ed25519', buildPublicKey()],
    ['RSA', publicLine(rsa().privateKey)],
    ['ECDSA', publicLine(ecdsa().privateKey)],
  ])('reads %s keys', async (_kind, line) => {
    expect((await readPublicKey(line)).fingerprint).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
  })

  it('computes the fingerprint that OpenSSH shows', async () => {
    const line =
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKi0e42mAQjXWpBl1sbxaeCDZuDzALJkXLanDn8DhuAJ c ed25519'
    expect(await readPublicKey(line)).toEqual({
      line,
      fingerprint: 'SHA256:tzRGDfz5McCiylcv8pUfyLeA5kFoTVkvMlRAIL99Pnk',
      fingerprintMd5: 'd3:a6:d9:e3:2b:83:95:73:06:66:94:ea:35:cd:ec:49',
      type: 'ed25519',
      bits: 256,
    })
  })

  it('gives the same fingerprint to every spelling of a key, and keeps the comment', async () => {
    const line = buildPublicKey()
    const [type = '', body = ''] = line.split(' ')
    const plain = await readPublicKey(`${type} ${body}`)
    const spelled = await readPublicKey(`  ${type}\t  ${body}  ada on  x \n`)
    expect(spelled.fingerprint).toBe(plain.fingerprint)
    expect(spelled.line).toBe(`${type} ${body} ada on x`)
  })

  it.each([
    '',
    'x',
    'ssh-ed25519',
    'ssh-ed25519 AAAA',
    'ssh-rsa not/base64!!',
    `ssh-rsa ${buildPublicKey().split(' ')[1]}`,
    `command="sh" ${buildPublicKey()}`,
    `${buildPublicKey()}\n${buildPublicKey()}`,
    rsa().privateKey,
    rsa().publicKey,
    `ssh-ed25519 ${'A'.repeat(6000)}`,
  ])('rejects %s', async (text) => {
    await expect(readPublicKey(text)).rejects.toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        detail: { fields: { key: ['is invalid'], fingerprint: ['cannot be generated'] } },
      }),
    )
  })
})
