import type { CommitDetail, CommitPipeline } from '@stithy/core'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { presentCommitDetail } from './commit.presenter.ts'
import { showCommit } from './commit-changes.service.ts'

declare module '../../platform/app.ts' {
  interface App {
    /** Finds the newest pipeline of a commit, if the caller may see pipelines. One query. */
    findVisiblePipeline: (
      app: App,
      caller: Pick<Caller, 'facts'>,
      project: ProjectSubject,
      sha: string,
    ) => Promise<CommitPipeline | undefined>
  }
}

/**
 * Views one commit, with its newest pipeline and, on request, its stats.
 * @throws DomainError `not_found`.
 */
export async function viewCommit(
  app: App,
  { subject, caller }: { subject: ProjectSubject; caller: Pick<Caller, 'facts'> },
  sha: string,
  withStats = true,
): Promise<CommitDetail> {
  const commit = await showCommit(app, subject.row, sha, withStats)
  const pipeline = await app.findVisiblePipeline(app, caller, subject, commit.oid)
  return presentCommitDetail(commit, subject.row.id, pipeline)
}
