import { describe, expect, it } from 'vitest'
import type { Transaction } from '../../platform/queries/queries.ts'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import { findKeyByFingerprint, findKeyByMd5 } from '../keys/ssh-key-store.ts'
import { findTokenOwner } from '../tokens/token-store.ts'
import {
  claimTwoFactorAttempt,
  consumeRecoveryCode,
  consumeTwoFactorStep,
  findTwoFactor,
} from '../two-factor/two-factor-store.ts'
import { findCredentials } from '../users/user-store.ts'
import { findSessionOwner } from './session-store.ts'

const attempt = { userId: 1, max: 5, since: 1, now: 2 }

describe('look-ups of callers', () => {
  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['a token', (q) => findTokenOwner(q, 'hash')],
    ['a session', (q) => findSessionOwner(q, 'hash')],
    ['a username', (q) => findCredentials(q, 'user')],
    ['an address', (q) => findCredentials(q, 'user@example.com')],
    ['an SSH key', (q) => findKeyByFingerprint(q, 'SHA256:a')],
    ['an SSH key by MD5', (q) => findKeyByMd5(q, 'aa:bb')],
    ['an authenticator app', (q) => findTwoFactor(q, 1)],
    ['an attempt to send a code', (tx) => claimTwoFactorAttempt(tx, attempt)],
    ['the use of a code', (tx) => consumeTwoFactorStep(tx, { userId: 1, step: 1 })],
    ['the use of a recovery code', (tx) => consumeRecoveryCode(tx, { userId: 1, codeHash: 'a' })],
  ])('are one query of indexes: %s', async (_, work) => {
    const plans = await plansOf(work)
    expect(plans.size).toBe(1)
    const isIndex = /^SEARCH .* USING (COVERING INDEX|INDEX|INTEGER PRIMARY KEY)/
    for (const [shape, plan] of plans) {
      const reads = plan.filter((step) => step.startsWith('SEARCH'))
      expect(reads.filter((step) => !isIndex.test(step))).toEqual([])
      // The groups that require two-factor authentication have an index of their own.
      const scans = costlySteps(plan).filter(
        (step) => !step.endsWith('namespaces_requireTwoFactorAuthentication_1_index'),
      )
      expect([shape, scans]).toEqual([shape, []])
    }
  })
})
