import { checkRefUpdate, type RefActor, type RefRules, type RefUpdate } from '@stithy/core'
import { type Repository, readHead } from '@stithy/git'
import type { PushCheck } from '../pushes/push-check.service.ts'

/** Who may write to a wiki may move all of its refs: none is protected. */
const writer: RefActor = {
  userId: null,
  admin: false,
  level: 30,
  groupIds: new Set(),
  mayPush: true,
  deployKey: false,
}

/** Decides which refs a push to a wiki may move: branches and tags, except for deleting the pages. */
export async function checkWikiPush(
  repository: Repository,
  updates: readonly RefUpdate[],
): Promise<PushCheck> {
  const rules: RefRules = {
    defaultBranch: (await readHead(repository)) ?? null,
    protectsFirstBranch: false,
    branches: () => [],
    tags: () => [],
  }
  const refusals = updates.flatMap((update) => {
    const decision = checkRefUpdate(update, rules, writer, { via: 'git', merging: false })
    if (decision.kind !== 'refused') return []
    const { reason, cause } = decision
    return [{ ref: update.ref, reason, cause }]
  })
  return { refusals, forwardOnly: [] }
}
