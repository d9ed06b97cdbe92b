import { fileURLToPath } from 'node:url'
import { DomainError } from '@stithy/core'
import { openpgpScript } from '../runtime.ts'
import { askThread, openThread } from '../threads/worker-thread.ts'
import type {
  OpenPgpAnswers,
  OpenPgpRequest,
  PublicKeyFacts,
  SignedBytes,
} from './openpgp-messages.ts'

/** Common keys take some milliseconds; the library takes half a second to load on a slow machine. */
const limits = { answerMs: 5000, waitMs: 15_000 }

const source = fileURLToPath(new URL('./openpgp-worker.ts', import.meta.url))
const thread = openThread({ bundled: openpgpScript, source })

/** Undefined for what takes too long, as only hostile keys and signatures do. */
async function ask<Task extends OpenPgpRequest['task']>(
  request: Extract<OpenPgpRequest, { task: Task }>,
): Promise<OpenPgpAnswers[Task] | undefined> {
  type Answer = { answer: OpenPgpAnswers[Task] }
  const answer = await askThread<OpenPgpRequest, Answer>(thread, request, limits)
  if (answer === 'late') {
    throw new DomainError('unavailable', { message: 'The server is busy checking other keys.' })
  }
  return answer?.answer
}

/**
 * Parses an armored OpenPGP public key; undefined for any other text, for several keys, and for a
 * key that has certified no user ID.
 * @throws DomainError `unavailable`
 */
export async function readOpenPgpKey(armoredKey: string): Promise<PublicKeyFacts | undefined> {
  return (await ask({ task: 'readKey', armoredKey })) ?? undefined
}

/**
 * The ID of the key that made an armored signature; undefined if it cannot be parsed.
 * @throws DomainError `unavailable`
 */
export async function readSignatureIssuer(armoredSignature: string): Promise<string | undefined> {
  return (await ask({ task: 'readIssuer', armoredSignature })) ?? undefined
}

/**
 * Whether an armored key made a signature while it was valid.
 * @throws DomainError `unavailable`
 */
export async function isSignedByKey(signed: SignedBytes, armoredKey: string): Promise<boolean> {
  return (await ask({ task: 'verify', armoredKey, ...signed })) ?? false
}
