import type { CommitDetail } from '@stithy/core'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import { findVisiblePipeline } from '../pipelines/pipeline.service.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { presentCommitDetail } from './commit.presenter.ts'
import { showCommit } from './commit-changes.service.ts'

/**
 * One commit as it is answered, with its newest pipeline and, where they are asked for, its stats.
 * @throws DomainError `not_found`.
 */
export async function viewCommit(
  app: App,
  { subject, caller }: { subject: ProjectSubject; caller: Pick<Caller, 'facts'> },
  sha: string,
  withStats = true,
): Promise<CommitDetail> {
  const commit = await showCommit(app, subject.row, sha, withStats)
  const pipeline = await findVisiblePipeline(app, caller, subject, commit.oid)
  return presentCommitDetail(commit, subject.row.id, pipeline)
}
