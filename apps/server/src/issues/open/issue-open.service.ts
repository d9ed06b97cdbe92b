import { type BodyOf, invalidParameter, type issuesContract } from '@stithy/core'
import type { App } from '../../app.ts'
import type { Caller } from '../../http/call.ts'
import type { IssueItem } from '../../items/item.ts'
import type { ProjectSubject } from '../../projects/project-subject.ts'
import { createIssue } from '../issue-create.service.ts'
import { settingsOf } from '../issue-parameters.ts'
import { planFollowUp, resolveFollowedUp } from './issue-follow-up.service.ts'

/**
 * Opens an issue as a caller asks for it, also one that takes over the threads of a merge request
 * (catalogue: issues, 2.1). @throws DomainError as `createIssue`; `invalid_parameter` without a title.
 */
export async function openIssue(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  body: BodyOf<typeof issuesContract.create>,
): Promise<IssueItem> {
  const mergeRequestIid = body.merge_request_to_resolve_discussions_of
  const asked = { mergeRequestIid, discussionId: body.discussion_to_resolve || undefined }
  const followUp =
    mergeRequestIid === undefined
      ? undefined
      : await planFollowUp(app, caller, project, { ...asked, mergeRequestIid })
  const settings = settingsOf(body)
  const title = settings.title ?? followUp?.title
  if (title === undefined) throw invalidParameter('title is missing')
  const description = settings.description ?? followUp?.description
  const dated = { createdAt: body.created_at, iid: body.iid }
  const item = await createIssue(app, caller, project, {
    ...settings,
    ...dated,
    title,
    description,
  })
  if (followUp !== undefined) await resolveFollowedUp(app, caller, followUp)
  return item
}
