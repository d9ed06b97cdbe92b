import { maxOptionBranches } from '@stithy/core'
import { findRepository, listOpenBySource, type MergeRequestRow } from '@stithy/store'
import type { AnsweredPush } from '../../code/git-http/push-messages.ts'
import type { App } from '../../platform/app.ts'
import { webUrl } from '../../platform/http/urls.ts'
import { finishPushOptions } from './push-options.jobs.ts'
import { applyToBranches, boxed, pushedBranches } from './pushed-branches.service.ts'

/**
 * Returns for each pushed branch the address of its merge request, or the one to create one at,
 * unless the project turned that off; after the options of the push were applied, whose refusals
 * become warnings.
 */
export async function answerPush(app: App, push: AnsweredPush): Promise<string[]> {
  const warnings = await applyToBranches(app, push)
  await finishPushOptions(app, push)
  const messages: string[] = []
  for (const { name } of pushedBranches(push).slice(0, maxOptionBranches)) {
    messages.push(...(warnings.get(name) ?? []), ...(await addressesOf(app, push, name)))
  }
  return [...(warnings.get('') ?? []), ...messages]
}

async function addressesOf(app: App, { project }: AnsweredPush, branch: string): Promise<string[]> {
  const { id: projectId, fullPath, printingMergeRequestLinkEnabled } = project.row
  if (printingMergeRequestLinkEnabled === 0) return []
  const open = await listOpenBySource(app.db, { projectId, branch })
  if (open.length > 0) return [viewMessage(app, branch, open)]
  // The first push chooses it.
  const { defaultBranch } = project.row.defaultBranch
    ? project.row
    : ((await findRepository(app.db, projectId)) ?? project.row)
  if (branch === defaultBranch) return []
  const query = `merge_request%5Bsource_branch%5D=${encodeURIComponent(branch)}`
  const url = webUrl(app.config, `${fullPath}/merge_requests/new?${query}`)
  return [boxed(`To create a merge request for ${branch}, visit:`, [url])]
}

function viewMessage(app: App, branch: string, open: readonly MergeRequestRow[]): string {
  const urls = open.map(({ projectFullPath, iid }) =>
    webUrl(app.config, `${projectFullPath}/merge_requests/${iid}`),
  )
  return boxed(`View merge request for ${branch}:`, urls)
}
