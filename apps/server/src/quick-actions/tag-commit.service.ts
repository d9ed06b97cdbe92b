import { decideOnProject } from '@stithy/core'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import type { CommitItem } from '../items/item.ts'
import { createTag } from '../tags/tag.service.ts'

/**
 * Tags a commit as `/tag v1 message` asks, where the caller may; without a message the tag is a lightweight
 * one. @throws DomainError as `createTag` does.
 */
export async function tagCommit(
  app: App,
  caller: Caller,
  { commitId, project }: CommitItem,
  argument: string,
): Promise<boolean> {
  const [, name, message] = /^(\S+)(?:[ \t]+(.*))?$/.exec(argument) ?? []
  if (name === undefined) return false
  if (!decideOnProject('push_code', caller.facts, project.facts).allowed) return false
  await createTag(app, { subject: project, caller }, { name, ref: commitId, message })
  return true
}
