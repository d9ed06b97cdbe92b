import type { BodyOf, QueryOf, repositoryFilesContract, WrittenFile } from '@stithy/core'
import type { TreeChange } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import { decodeContent } from '../commits/writes/action-changes.ts'
import { commitToBranch, type Writer } from '../commits/writes/commit-write.service.ts'

type Contract = typeof repositoryFilesContract
type Target = Pick<
  QueryOf<Contract['delete']>,
  'branch' | 'commit_message' | 'start_branch' | 'author_name' | 'author_email' | 'last_commit_id'
>

/** Creates a file. @throws DomainError `bad_request` if it exists */
export function createFile(
  app: App,
  writer: Writer,
  path: string,
  body: BodyOf<Contract['create']>,
): Promise<WrittenFile> {
  const content = decodeContent(path, body.content, body.encoding)
  return commitFile(app, writer, body, { kind: 'write', path, content, must: 'be_absent' })
}

/** Updates a file, to different content. @throws DomainError `bad_request` */
export function updateFile(
  app: App,
  writer: Writer,
  path: string,
  body: BodyOf<Contract['update']>,
): Promise<WrittenFile> {
  const content = decodeContent(path, body.content, body.encoding)
  return commitFile(app, writer, body, { kind: 'write', path, content, must: 'exist' })
}

/** Deletes a file. @throws DomainError `bad_request` */
export async function deleteFile(
  app: App,
  writer: Writer,
  path: string,
  query: QueryOf<Contract['delete']>,
): Promise<undefined> {
  await commitFile(app, writer, query, { kind: 'delete', path })
}

async function commitFile(
  app: App,
  writer: Writer,
  target: Target,
  change: TreeChange,
): Promise<WrittenFile> {
  const { branch, last_commit_id: lastCommit } = target
  await commitToBranch(app, writer, {
    branch,
    startBranch: target.start_branch,
    message: target.commit_message,
    author: target,
    changes: [change],
    locks: lastCommit ? [{ path: change.path, lastCommit }] : [],
    mustChange: true,
    refusedAs: 'bad_request',
  })
  return { file_path: change.path, branch }
}
