import { decideOnProject, splitFirstWord } from '@stithy/core'
import { createTag } from '../../code/tags/tag.service.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { CommitItem } from '../items/item.ts'

/**
 * Tags a commit for `/tag v1 message`, if the caller may; without a message the tag is lightweight.
 * @throws DomainError as `createTag` does.
 */
export async function tagCommit(
  app: App,
  caller: Caller,
  { commitId, project }: CommitItem,
  argument: string,
): Promise<boolean> {
  const [name, rest] = splitFirstWord(argument)
  if (name === '') return false
  if (!decideOnProject('push_code', caller.facts, project.facts).allowed) return false
  await createTag(
    app,
    { subject: project, caller },
    { name, ref: commitId, message: rest === '' ? undefined : rest },
  )
  return true
}
