import { type BodyOf, invalidParameter, type issuesContract } from '@stithy/core'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { IssueItem } from '../../items/item.ts'
import { createIssue } from '../issue-create.service.ts'
import { settingsOf } from '../issue-parameters.ts'
import { planFollowUp, resolveFollowUpThreads } from './issue-follow-up.service.ts'

/**
 * Handles `POST /projects/:id/issues`, also as the follow-up of a merge request's open threads.
 * @throws DomainError as `createIssue`; `invalid_parameter` without a title.
 */
export async function openIssue(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  body: BodyOf<typeof issuesContract.create>,
): Promise<IssueItem> {
  const mergeRequestIid = body.merge_request_to_resolve_discussions_of
  const requested = { mergeRequestIid, discussionId: body.discussion_to_resolve || undefined }
  const followUp =
    mergeRequestIid === undefined
      ? undefined
      : await planFollowUp(app, caller, project, { ...requested, mergeRequestIid })
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
  if (followUp !== undefined) await resolveFollowUpThreads(app, caller, followUp)
  return item
}
