import type { Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { protectDefaultBranch } from './branches/default-protection.service.ts'

/** Protects the default branch on the first push to an empty repository. */
export async function protectFirstBranch(
  tx: Transaction,
  { push, isFirst, now }: Change<'refs.moved'>,
): Promise<void> {
  const { projectId, defaultBranch, head } = push
  if (!isFirst || defaultBranch === null || head === null) return
  await protectDefaultBranch(tx, { projectId, name: defaultBranch, now })
}

export async function protectInitialBranch(
  tx: Transaction,
  { projectId, initialBranch, now }: Change<'project.created'>,
): Promise<void> {
  if (initialBranch === null) return
  await protectDefaultBranch(tx, { projectId, name: initialBranch, now })
}

export async function protectNewDefaultBranch(
  tx: Transaction,
  { projectId, branch, now }: Change<'project.default_branch_changed'>,
): Promise<void> {
  await protectDefaultBranch(tx, { projectId, name: branch, now })
}

export async function protectImportedBranch(
  tx: Transaction,
  { projectId, defaultBranch, now }: Change<'repository.imported'>,
): Promise<void> {
  if (defaultBranch === null) return
  await protectDefaultBranch(tx, { projectId, name: defaultBranch, now })
}
