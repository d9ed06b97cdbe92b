import type { CommitStatus } from '@stithy/core'
import {
  type CommitStatusRow,
  listCommitStatuses,
  type Page,
  type PageRequest,
} from '@stithy/store'
import { requireCommit } from '../../code/commits/commit.service.ts'
import type { SourceRepository } from '../../code/revisions/revision.service.ts'
import { userRefs } from '../../directory/users/user-views.service.ts'
import type { App } from '../../platform/app.ts'
import { presentStatuses } from './commit-status.presenter.ts'

/** Filters of a list of statuses; an empty string is no filter. */
export interface StatusQuery {
  ref?: string | undefined
  stage?: string | undefined
  name?: string | undefined
  all?: boolean | undefined
}

/** Lists a commit's statuses, oldest first. @throws DomainError `not_found`. */
export async function loadStatusesPage(
  app: App,
  project: SourceRepository & { id: number },
  sha: string,
  { ref, stage, name, all = false }: StatusQuery,
  request: PageRequest,
): Promise<Page<CommitStatus>> {
  const { oid } = await requireCommit(app, project, sha)
  const filter = {
    projectId: project.id,
    sha: oid,
    all,
    ref: ref || undefined,
    stage: stage || undefined,
    name: name || undefined,
  }
  const page = await listCommitStatuses(app.db, filter, request)
  return { ...page, items: await viewStatuses(app, page.items) }
}

/** Presents one status. */
export async function viewStatus(app: App, row: CommitStatusRow): Promise<CommitStatus> {
  const [status] = await viewStatuses(app, [row])
  if (status === undefined) throw new TypeError('a status has no view')
  return status
}

async function viewStatuses(app: App, rows: readonly CommitStatusRow[]): Promise<CommitStatus[]> {
  const ids = rows.map(({ userId }) => userId).filter((id) => id !== null)
  return presentStatuses(rows, await userRefs(app, ids))
}
