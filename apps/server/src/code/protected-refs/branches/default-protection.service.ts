import { AccessLevel, defaultProtectionOf, protectionFinder } from '@stithy/core'
import {
  findSetting,
  insertProtectedRef,
  listProtections,
  type ProtectedAction,
  type Transaction,
} from '@stithy/store'
import { protectionsOf } from '../ref-access.service.ts'

/**
 * Protects a new default branch according to `default_branch_protection`, unless it is protected
 * already.
 */
export async function protectDefaultBranch(
  tx: Transaction,
  { projectId, name, now }: { projectId: number; name: string; now: number },
): Promise<void> {
  const levels = defaultProtectionOf(await findSetting(tx, 'default_branch_protection'))
  if (levels === undefined) return
  const find = protectionFinder(protectionsOf(await listProtections(tx, projectId), 'branch'))
  if (find(name).length > 0) return
  const level = (action: ProtectedAction, accessLevel: number) => {
    return { action, accessLevel, userId: null, groupId: null }
  }
  await insertProtectedRef(tx, { projectId, kind: 'branch', name, createdAt: now }, [
    level('push', levels.push),
    level('merge', levels.merge),
    level('unprotect', AccessLevel.maintainer),
  ])
}
