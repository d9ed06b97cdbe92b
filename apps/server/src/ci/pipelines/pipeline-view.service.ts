import { meanCoverage, type Pipeline, type PipelineRef, statusWords } from '@stithy/core'
import { zeroOid } from '@stithy/git'
import { listPipelineStatuses, type PipelineRow, type PipelineSummaryRow } from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import { userRefs } from '../../directory/users/user-views.service.ts'
import type { App } from '../../platform/app.ts'
import type { Config } from '../../platform/config/config.ts'
import { timestampOrNull, timestampText } from '../../platform/http/timestamp.ts'
import { webUrl } from '../../platform/http/urls.ts'

/** Presents a pipeline in short. */
export function presentPipelineRef(
  config: Config,
  { row: { fullPath } }: ProjectSubject,
  { id, sha, ref, status }: PipelineSummaryRow,
): PipelineRef {
  return { id, sha, ref, status, web_url: webUrl(config, `${fullPath}/pipelines/${id}`) }
}

/** Presents a single pipeline, of a project that may see it. Two queries. */
export async function viewPipeline(
  app: App,
  project: ProjectSubject,
  row: PipelineRow,
): Promise<Pipeline> {
  const parts = await listPipelineStatuses(app.db, row.id)
  const { userId } = row
  const users = await userRefs(app, userId === null ? [] : [userId])
  const brief = presentPipelineRef(app.config, project, row)
  return {
    ...brief,
    before_sha: row.beforeSha ?? zeroOid,
    tag: row.tag === 1,
    yaml_errors: null,
    user: (userId === null ? undefined : users.get(userId)) ?? null,
    created_at: timestampText(row.createdAt),
    updated_at: timestampText(row.updatedAt),
    started_at: timestampOrNull(row.startedAt),
    finished_at: timestampOrNull(row.finishedAt),
    committed_at: null,
    duration: row.duration,
    coverage: meanCoverage(parts),
    detailed_status: presentStatus(row, new URL(brief.web_url).pathname),
  }
}

function presentStatus({ status }: PipelineRow, path: string): Pipeline['detailed_status'] {
  const { text, label } = statusWords(status)
  return {
    icon: `status_${status}`,
    text,
    label,
    group: status,
    tooltip: text,
    has_details: true,
    details_path: path,
    illustration: null,
    favicon: `/assets/ci_favicons/favicon_status_${status}.png`,
  }
}
