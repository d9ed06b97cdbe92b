import { type BodyOf, badRequest, type submodulesContract } from '@stithy/core'
import { isOid } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import { commitToBranch, type Writer } from '../commits/writes/commit-write.service.ts'

/**
 * Updates a submodule to another commit and returns the id of the new commit.
 * @throws DomainError `bad_request`
 */
export function updateSubmodule(
  app: App,
  writer: Writer,
  path: string,
  body: BodyOf<(typeof submodulesContract)['update']>,
): Promise<string> {
  const commit = body.commit_sha.toLowerCase()
  if (!isOid(commit)) throw badRequest('commit_sha is not a full hash.')
  return commitToBranch(app, writer, {
    branch: body.branch,
    message: body.commit_message || `Update submodule ${path} to ${commit}`,
    changes: [{ kind: 'submodule', path, commit }],
    mustChange: true,
    refusedAs: 'bad_request',
  })
}
