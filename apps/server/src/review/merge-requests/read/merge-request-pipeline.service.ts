import type { PipelineRef } from '@stithy/core'
import {
  findLastPipelineOn,
  listMergeRequestPipelines,
  type Page,
  type PageRequest,
  type PipelineRow,
} from '@stithy/store'
import { mayReadPipelines } from '../../../ci/pipelines/pipeline.service.ts'
import { presentPipelineRef } from '../../../ci/pipelines/pipeline-view.service.ts'
import { loadProject, type ProjectSubject } from '../../../directory/projects/project-subject.ts'
import type { MergeRequestItem } from '../../../planning/items/item.ts'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'

/** The newest pipeline of the head, in the source project. */
export interface HeadPipeline {
  source: ProjectSubject
  /** Null if there is none. */
  row: PipelineRow | null
}

/** Undefined if the caller may not see pipelines of the source. At most two queries. */
export async function findHeadPipeline(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
): Promise<HeadPipeline | undefined> {
  const source = await pipelineSource(app, caller, item)
  if (source === undefined) return undefined
  const { headSha: sha, sourceBranch: ref } = item.row
  const row = await findLastPipelineOn(app.db, { projectId: source.row.id, sha, ref })
  return { source, row: row ?? null }
}

/** Lists the pipelines of the commits of a merge request; none if the caller may not see them. */
export async function listPipelines(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
  request: PageRequest,
): Promise<Page<PipelineRef>> {
  const source = await pipelineSource(app, caller, item)
  if (source === undefined) return { items: [], total: 0, ...request }
  const { id: mergeRequestId, sourceBranch: branch } = item.row
  const args = { projectId: source.row.id, branch, mergeRequestId }
  const found = await listMergeRequestPipelines(app.db, args, request)
  return { ...found, items: found.items.map((row) => presentPipelineRef(app.config, source, row)) }
}

/** Pipelines run in the source project, whose rules decide who sees them. At most one query. */
async function pipelineSource(
  app: App,
  caller: Caller,
  { row, project }: MergeRequestItem,
): Promise<ProjectSubject | undefined> {
  const { sourceProjectId } = row
  if (sourceProjectId === null) return undefined
  const source =
    sourceProjectId === project.row.id
      ? project
      : await loadProject(app, String(sourceProjectId), caller)
  return source !== undefined && mayReadPipelines(caller, source) ? source : undefined
}
