import { createMessage, generateKey, readPrivateKey, sign } from 'openpgp'

/** A generated OpenPGP key. */
export interface GpgKeyPair {
  /** Armored. */
  publicKey: string
  privateKey: string
  /** Sixteen upper-case hexadecimal digits. */
  keyId: string
  /** That of its signing subkey, if it has one. */
  subkeyId: string | undefined
}

/** Generates a key for an address; with `subkey`, one that signs with a subkey. */
export async function buildGpgKey(
  email: string,
  { subkey = false, name = 'Ada', date = new Date() } = {},
): Promise<GpgKeyPair> {
  const { publicKey, privateKey } = await generateKey({
    userIDs: [{ name, email }],
    subkeys: subkey ? [{ sign: true }] : [],
    date,
  })
  const key = await readPrivateKey({ armoredKey: privateKey })
  return {
    publicKey: publicKey.replaceAll('\r\n', '\n').trim(),
    privateKey,
    keyId: key.getKeyID().toHex().toUpperCase(),
    subkeyId: key.subkeys[0]?.getKeyID().toHex().toUpperCase(),
  }
}

/** An armored, detached signature of a text. */
export async function signText(text: string, { privateKey }: GpgKeyPair): Promise<string> {
  const signingKeys = await readPrivateKey({ armoredKey: privateKey })
  const binary = Buffer.from(text)
  const armored = await sign({
    message: await createMessage({ binary }),
    signingKeys,
    detached: true,
  })
  return String(armored)
}
