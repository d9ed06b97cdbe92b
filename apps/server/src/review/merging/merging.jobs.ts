import { makeJobsDue } from '@stithy/store'
import { z } from 'zod'
import type { App } from '../../platform/app.ts'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { settleMerge, settleMergeKind } from './merge-settle.service.ts'
import { mergeWaitingKind } from './merging-effects.ts'
import { rebaseKind, runRebase } from './rebase.service.ts'
import { removeSourceBranch, removeSourceBranchKind } from './source-branch.service.ts'
import { mergeWaiting } from './waiting-merges.service.ts'

const Named = z.object({ id: z.int() })
const Settled = Named.extend({ key: z.string() })
const Merged = Named.extend({ userId: z.int() })
const Rebased = Merged.extend({ startedAt: z.int() })

/** Jobs of merging and rebasing. */
export const mergingJobs: readonly JobHandler[] = [
  {
    kind: settleMergeKind,
    async run(app, payload) {
      const { id, key } = Settled.parse(payload)
      await settleMerge(app, id, key)
    },
  },
  {
    kind: removeSourceBranchKind,
    async run(app, payload) {
      const { id, userId } = Merged.parse(payload)
      await removeSourceBranch(app, id, userId)
    },
  },
  {
    kind: mergeWaitingKind,
    run: (app, payload) => mergeWaiting(app, Named.parse(payload).id),
  },
  { kind: rebaseKind, run: (app, payload) => runRebase(app, Rebased.parse(payload)) },
]

/**
 * For the start of the only server of a data folder: no merge can be in progress, so all that are
 * locked were interrupted and are settled immediately, with the removal of their source branches.
 */
export async function reconcileMerges(app: App): Promise<void> {
  await makeJobsDue(app.db, settleMergeKind, app.now())
  await makeJobsDue(app.db, removeSourceBranchKind, app.now())
}
