import { parentPort } from 'node:worker_threads'
import { createMessage, type Key, readKeys, readSignature, verify } from 'openpgp'
import type {
  KeyUserId,
  OpenPgpAnswers,
  OpenPgpRequest,
  PublicKeyFacts,
  SignedBytes,
} from './openpgp-messages.ts'

/** Most user IDs and most subkeys of a key, and most signatures of a commit. */
const maxParts = 100
const maxSignatures = 4

/**
 * No check of times but whether the key was valid when the signature says that it was made: neither
 * a signature nor a user ID becomes invalid later.
 */
const anyTime = null

// A separate thread: checking hostile keys does not block the server, and can be killed.
parentPort?.on('message', async (request: OpenPgpRequest) => {
  parentPort?.postMessage({ answer: await answer(request) })
})
parentPort?.postMessage('ready')

async function answer(request: OpenPgpRequest): Promise<OpenPgpAnswers[OpenPgpRequest['task']]> {
  const { task } = request
  try {
    if (task === 'readKey') return await readKey(request.armoredKey)
    if (task === 'readIssuer') return await readIssuer(request.armoredSignature)
    return await isSignedBy(request.armoredKey, request)
  } catch {
    return task === 'verify' ? false : null
  }
}

async function readKey(armoredKey: string): Promise<PublicKeyFacts | null> {
  const [key, ...others] = await readKeys({ armoredKeys: armoredKey })
  if (key === undefined || others.length > 0 || key.isPrivate()) return null
  if (key.users.length > maxParts || key.subkeys.length > maxParts) return null
  const userIds = await userIdsOf(key)
  if (userIds.length === 0) return null
  return { ...idsOf(key), userIds, signingSubkeys: await signingSubkeysOf(key) }
}

function idsOf(key: Pick<Key, 'getKeyID' | 'getFingerprint'>) {
  return {
    keyId: key.getKeyID().toHex().toUpperCase(),
    fingerprint: key.getFingerprint().toUpperCase(),
  }
}

/** Anybody can append a user ID to a key; only its owner can certify it. */
async function userIdsOf(key: Key): Promise<KeyUserId[]> {
  const userIds: KeyUserId[] = []
  for (const user of key.users) {
    if (user.userID === null || !(await holds(user.verify(anyTime as never)))) continue
    userIds.push({ name: user.userID.name, email: user.userID.email })
  }
  return userIds
}

/** Anybody can append a subkey to a key; one that signs has also signed that it belongs to it. */
async function signingSubkeysOf(key: Key): Promise<PublicKeyFacts['signingSubkeys']> {
  const subkeys: PublicKeyFacts['signingSubkeys'] = []
  for (const subkey of key.subkeys) {
    const found = key.getSigningKey(subkey.getKeyID(), anyTime)
    if (await holds(found.then((signing) => signing === subkey || Promise.reject()))) {
      subkeys.push(idsOf(subkey))
    }
  }
  return subkeys
}

async function holds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

async function readIssuer(armoredSignature: string): Promise<string | null> {
  const { packets } = await readSignature({ armoredSignature })
  const keyId = packets[0]?.issuerKeyID.toHex().toUpperCase()
  return keyId === undefined || /^0*$/.test(keyId) ? null : keyId
}

/** Whether the first signature was made by a key that was valid at that time. */
async function isSignedBy(
  armoredKey: string,
  { armoredSignature, payload }: SignedBytes,
): Promise<boolean> {
  const signature = await readSignature({ armoredSignature })
  if (signature.packets.length > maxSignatures) return false
  const { signatures } = await verify({
    message: await createMessage({ binary: payload }),
    signature,
    verificationKeys: await readKeys({ armoredKeys: armoredKey }),
    format: 'binary',
    date: anyTime as never,
    // A key whose expiry was extended is exported without its earlier certification.
    config: { allowInsecureVerificationWithReformattedKeys: true },
  })
  const [first] = await Promise.allSettled(signatures.map(({ verified }) => verified))
  return first?.status === 'fulfilled' && first.value === true
}
