import { describe, expect, it } from 'vitest'
import type { Transaction } from '../../platform/queries/queries.ts'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import { findTokenOwner } from '../tokens/token-store.ts'
import { findAccessToken, revokeAccessTokens } from './access-token-store.ts'
import {
  countApplications,
  countApplicationsOf,
  findApplication,
  findApplicationOf,
  hideApplicationsOf,
  listApplications,
  listApplicationsOf,
  listHiddenApplicationIds,
} from './application-store.ts'
import {
  deleteEndedAccessTokens,
  deleteEndedCodes,
  deleteEndedGrants,
  deleteGrantsOf,
  deleteUsedRefreshTokens,
} from './grant-cleanup.ts'
import { findCode, revokeGrant, revokePasswordGrants, useCode } from './grant-store.ts'
import { findRefreshToken, useRefreshToken } from './refresh-token-store.ts'

const now = 1
const ended = { before: now, limit: 10 }

describe('queries of the OAuth2 provider', () => {
  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['the user of a token', (q) => findTokenOwner(q, 'hash')],
    ['an access token', (q) => findAccessToken(q, 'hash')],
    ['an application', (q) => findApplication(q, 'uid')],
    ['the applications of the instance', (q) => listApplications(q)],
    ['the applications of a user', (q) => listApplicationsOf(q, 1)],
    ['the number of applications of the instance', (q) => countApplications(q)],
    ['the number of applications of a user', (q) => countApplicationsOf(q, 1)],
    ['an application of a user', (q) => findApplicationOf(q, { id: 1, ownerId: 1 })],
    ['the deletion of a user', (tx) => hideApplicationsOf(tx, { ownerId: 1, now })],
    ['what is left of a deleted user', (q) => listHiddenApplicationIds(q, 1)],
    ['a code', (q) => findCode(q, 'hash')],
    ['the use of a code', (tx) => useCode(tx, { codeHash: 'hash', now })],
    ['a refresh token', (q) => findRefreshToken(q, 'hash')],
    ['the use of a refresh token', (tx) => useRefreshToken(tx, { tokenHash: 'hash', now })],
    ['the revocation of a grant', (tx) => revokeGrant(tx, { id: 1, now })],
    ['a new password', (tx) => revokePasswordGrants(tx, { userId: 1, now })],
    ['the revocation of access tokens', (tx) => revokeAccessTokens(tx, 1)],
    ['the deletion of an application', (tx) => deleteGrantsOf(tx, { applicationId: 1, limit: 9 })],
    ['the deletion of grants', (tx) => deleteEndedGrants(tx, ended)],
    ['the deletion of access tokens', (tx) => deleteEndedAccessTokens(tx, ended)],
    ['the deletion of codes', (tx) => deleteEndedCodes(tx, ended)],
    ['the deletion of refresh tokens', (tx) => deleteUsedRefreshTokens(tx, ended)],
  ])('read indexes: %s', async (_, work) => {
    const plans = await plansOf(work)
    expect(plans.size).toBe(1)
    for (const [shape, plan] of plans) expect([shape, costlySteps(plan)]).toEqual([shape, []])
  })
})
