import { versionFiles } from '@stithy/core'
import type { Database } from '../platform/queries/queries.ts'
import type { Row } from '../platform/schema/schema.ts'
import {
  insertMergeRequest,
  type NewMergeRequest,
} from '../review/merge-requests/merge-request-store.ts'
import { someTime } from './factories.ts'

/** A fake hash that starts with the name. */
export function someSha(name: string): string {
  return name.padEnd(40, '0')
}

let branches = 0

/** A merge request of a new branch into `main` in the project, with named commits, newest first. */
export function buildMergeRequest(
  db: Database,
  project: Pick<Row<'projects'>, 'id'>,
  author: Pick<Row<'users'>, 'id'>,
  overrides: Partial<NewMergeRequest> = {},
  commits: readonly string[] = ['c1'],
): Promise<{ id: number; iid: number }> {
  branches += 1
  const sourceBranch = `topic-${branches}`
  const version = {
    headSha: someSha(commits[0] ?? 'base'),
    baseSha: someSha('base'),
    startSha: someSha('start'),
    ...versionFiles(commits.length),
    commits: commits.map(someSha),
  }
  return db.transaction((tx) =>
    insertMergeRequest(tx, {
      projectId: project.id,
      targetBranch: 'main',
      sourceProjectId: project.id,
      sourceBranch,
      authorId: author.id,
      title: 'Title',
      description: null,
      assigneeIds: [],
      squash: 0,
      forceRemoveSourceBranch: 0,
      allowCollaboration: 0,
      discussionLocked: null,
      milestoneId: null,
      version,
      createdAt: someTime,
      ...overrides,
    }),
  )
}
