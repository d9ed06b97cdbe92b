import { type Job, runningSeconds } from '@stithy/core'
import { readCommits } from '@stithy/git'
import { type CiJobRow, findCiJobs, findUsers } from '@stithy/store'
import { presentCommit } from '../../code/commits/commit.presenter.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import { presentProfile } from '../../directory/users/user.presenter.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { timestampOrNull, timestampText } from '../../platform/http/timestamp.ts'
import { webUrl } from '../../platform/http/urls.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { presentPipelineRef } from '../pipelines/pipeline-view.service.ts'

/** Bytes of the commits of a page of jobs, as git stores them. */
const maxCommitBytes = 8 * 1024 * 1024

/** Presents jobs of a project, by their ids. Two queries. */
export async function viewJobs(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Job>> {
  if (ids.length === 0) return new Map()
  const rows = await findCiJobs(app.db, ids)
  const userIds = [...new Set(rows.flatMap(({ userId }) => userId ?? []))]
  const users = userIds.length === 0 ? [] : await findUsers(app.db, userIds)
  const isSelf = (id: number) => id === caller.user?.id
  const profiles = new Map(
    users.map((row) => [row.id, presentProfile(app.config, row, { isSelf: isSelf(row.id) })]),
  )
  const shas = [...new Set(rows.map(({ sha }) => sha))]
  const repository = repositoryOf(app, project.row)
  const commits = await readCommits(app.git, repository, shas, maxCommitBytes)
  const byId = new Map(commits.map((commit) => [commit.oid, presentCommit(commit)]))
  const present = (row: CiJobRow): Job => ({
    ...presentJob(app, project, row),
    user: (row.userId === null ? undefined : profiles.get(row.userId)) ?? null,
    commit: byId.get(row.sha) ?? null,
  })
  return new Map(rows.map((row) => [row.id, present(row)]))
}

function presentJob(
  app: App,
  project: ProjectSubject,
  row: CiJobRow,
): Omit<Job, 'user' | 'commit'> {
  const { pipelineId, pipelineStatus, sha, ref } = row
  const pipeline = { id: pipelineId, sha, ref, status: pipelineStatus }
  return {
    id: row.id,
    status: row.status,
    stage: row.stage,
    name: row.name,
    ref,
    tag: row.tag === 1,
    coverage: row.coverage,
    allow_failure: row.allowFailure === 1,
    created_at: timestampText(row.createdAt),
    started_at: timestampOrNull(row.startedAt),
    finished_at: timestampOrNull(row.finishedAt),
    duration: runningSeconds([row], app.now()),
    pipeline: presentPipelineRef(app.config, project, pipeline),
    web_url: webUrl(app.config, `${project.row.fullPath}/-/jobs/${row.id}`),
    artifacts: [],
    runner: null,
    artifacts_expire_at: null,
  }
}
