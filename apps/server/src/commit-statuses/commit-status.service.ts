import type { CommitStatus } from '@stithy/core'
import {
  type CommitStatusRow,
  listCommitStatuses,
  type Page,
  type PageRequest,
} from '@stithy/store'
import type { App } from '../app.ts'
import { requireCommit } from '../commits/commit.service.ts'
import type { CodePlace } from '../repositories/repository.service.ts'
import { userRefs } from '../users/user-views.service.ts'
import { presentStatuses } from './commit-status.presenter.ts'

/** What a list of statuses is narrowed to; an empty text narrows nothing. */
export interface StatusQuery {
  ref?: string | undefined
  stage?: string | undefined
  name?: string | undefined
  all?: boolean | undefined
}

/** One page of the statuses of a commit, oldest first. @throws DomainError `not_found`. */
export async function pageOfStatuses(
  app: App,
  project: CodePlace & { id: number },
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

/** One status as it goes over the wire. */
export async function viewStatus(app: App, row: CommitStatusRow): Promise<CommitStatus> {
  const [status] = await viewStatuses(app, [row])
  if (status === undefined) throw new TypeError('One status gives one status')
  return status
}

async function viewStatuses(app: App, rows: readonly CommitStatusRow[]): Promise<CommitStatus[]> {
  const ids = rows.map(({ userId }) => userId).filter((id) => id !== null)
  return presentStatuses(rows, await userRefs(app, ids))
}
