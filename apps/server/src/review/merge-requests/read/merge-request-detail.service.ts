import { decideOnProject, fileCountText, type MergeRequestDetail } from '@stithy/core'
import { countCommits, findBranch, isNotFound } from '@stithy/git'
import { findVersion } from '@stithy/store'
import { presentPipelineRef, viewPipeline } from '../../../ci/pipelines/pipeline-view.service.ts'
import { loadBranchRights } from '../../../code/protected-refs/ref-access.service.ts'
import type { MergeRequestItem } from '../../../planning/items/item.ts'
import { viewFlavoredAll } from '../../../planning/markdown/markdown-view.service.ts'
import type { App } from '../../../platform/app.ts'
import { tierAllows } from '../../../platform/config/config.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { timestampOrNull } from '../../../platform/http/timestamp.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
import { viewMergeRequests } from '../merge-request-views.service.ts'
import { findHeadPipeline } from './merge-request-pipeline.service.ts'

/** Parts of a single merge request that are shown on request. */
export interface DetailOptions {
  render_html?: boolean | undefined
  include_diverged_commits_count?: boolean | undefined
  include_rebase_in_progress?: boolean | undefined
  with_labels_details?: boolean | undefined
}

/** Presents a single merge request. At most eight queries more than one in a list. */
export async function viewMergeRequest(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
  options: DetailOptions = {},
): Promise<MergeRequestDetail> {
  const { row } = item
  const withLabelsDetails = options.with_labels_details
  const [view] = await viewMergeRequests(app, caller, [row], { withLabelsDetails })
  if (view === undefined) throw new TypeError(`Merge request ${row.id} has no author`)
  const version = await findVersion(app.db, row.latestVersionId)
  return {
    ...view,
    subscribed: view.subscribed ?? false,
    changes_count: version === undefined ? '0' : fileCountText(version),
    diff_refs: { base_sha: row.baseSha, head_sha: row.headSha, start_sha: row.startSha },
    ...(tierAllows(app.config.tier, 'premium')
      ? { approvals_before_merge: row.approvalsBeforeMerge }
      : {}),
    merge_error: row.mergeError,
    user: { can_merge: await mayMerge(app, caller, item) },
    ...(await pipelineFields(app, caller, item)),
    ...(options.render_html ? await htmlFields(app, caller, item) : {}),
    ...(options.include_diverged_commits_count
      ? { diverged_commits_count: await countDiverged(app, item) }
      : {}),
    ...(options.include_rebase_in_progress
      ? { rebase_in_progress: row.rebaseStartedAt !== null }
      : {}),
  }
}

/** Whether the caller may merge into the target branch. At most three queries. */
export async function mayMerge(
  app: App,
  caller: Caller,
  { row, project: subject }: MergeRequestItem,
): Promise<boolean> {
  if (!decideOnProject('push_code', caller.facts, subject.facts).allowed) return false
  return (await loadBranchRights(app, { subject, caller }))(row.targetBranch).canMerge
}

async function pipelineFields(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
): Promise<Partial<MergeRequestDetail>> {
  const head = await findHeadPipeline(app, caller, item)
  if (head === undefined) return {}
  const { source, row } = head
  return {
    pipeline: row && presentPipelineRef(app.config, source, row),
    head_pipeline: row && (await viewPipeline(app, source, row)),
    latest_build_started_at: timestampOrNull(row?.startedAt ?? null),
    latest_build_finished_at: timestampOrNull(row?.finishedAt ?? null),
    first_deployed_to_production_at: null,
  }
}

async function htmlFields(
  app: App,
  caller: Caller,
  { row: { title, description }, project }: MergeRequestItem,
): Promise<Partial<MergeRequestDetail>> {
  const texts = [{ title }, description ?? '']
  const [titleHtml = '', descriptionHtml = ''] = await viewFlavoredAll(app, caller, project, texts)
  return { title_html: titleHtml, description_html: descriptionHtml }
}

/** The number of commits of the target branch that the head lacks; 0 without either of them. */
async function countDiverged(app: App, { row, project }: MergeRequestItem): Promise<number> {
  const repository = repositoryOf(app, project.row)
  const target = await findBranch(app.git, repository, row.targetBranch)
  if (target === undefined) return 0
  try {
    const range = { tip: target.oid, notReachableFrom: row.headSha }
    return await countCommits(app.git, repository, range)
  } catch (error) {
    // A repository may have lost a commit; what else is known of the merge request is still shown.
    if (isNotFound(error)) return 0
    throw error
  }
}
