import {
  DomainError,
  parseRef,
  type SystemHookTrigger,
  type WebhookEvent,
  type WebhookTrigger,
} from '@stithy/core'
import { listRefsByDate, readCommit } from '@stithy/git'
import {
  findIssuesById,
  findMergeRequestById,
  findProject,
  findSampleIssue,
  findSampleMergeRequest,
  findSamplePipeline,
  findUser,
  listSampleNotes,
  type ProjectRow,
} from '@stithy/store'
import { headOf } from '../../../code/revisions/revision.service.ts'
import { listWikiPages } from '../../../code/wikis/wiki-pages.service.ts'
import { openWiki } from '../../../code/wikis/wiki-repository.ts'
import type { App } from '../../../platform/app.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
import { issueSnapshot, mergeRequestSnapshot, noteSource } from '../hook-sources.ts'
import { buildIssuePayload } from '../payloads/issue-payload.ts'
import { buildMergeRequestPayload } from '../payloads/merge-request-payload.ts'
import { buildNotePayload } from '../payloads/note-payload.ts'
import { buildPipelinePayload } from '../payloads/pipeline-payload.ts'
import { buildPushPayload, type PushedRef } from '../payloads/push-payload.ts'
import { buildRepositoryUpdate } from '../payloads/repository-update-payload.ts'
import { buildWikiPagePayload } from '../payloads/wiki-page-payload.ts'

type AnyTrigger = WebhookTrigger | SystemHookTrigger

/** An event made of what is in a project. */
export interface SampleEvent {
  projectId: number
  event: WebhookEvent | 'repository_update'
  body: object
}

/** What is asked for, and by whom. */
export interface SampleRequest {
  projectId: number
  trigger: AnyTrigger
  userId: number | null
  signal: AbortSignal
}

/** What a project must have for an event to be possible. */
const needed: Record<AnyTrigger, string> = {
  push_events: 'There is no commit on a default branch to send.',
  repository_update_events: 'There is no commit on a default branch to send.',
  tag_push_events: 'There is no tag to send.',
  issues_events: 'There is no issue to send.',
  confidential_issues_events: 'There is no confidential issue to send.',
  merge_requests_events: 'There is no merge request to send.',
  note_events: 'There is no recent comment to send.',
  confidential_note_events: 'There is no recent comment on a confidential issue to send.',
  pipeline_events: 'There is no pipeline to send.',
  job_events: 'There is no job to send.',
  wiki_page_events: 'There is no wiki page to send.',
}

/** The error for a hook without anything to make an event of. */
export function nothingToSend(trigger: AnyTrigger): DomainError {
  return new DomainError('unprocessable', { message: needed[trigger] })
}

/** Makes an event of the newest of what a project has; undefined if it has nothing of the kind. */
export async function buildSample(
  app: App,
  request: SampleRequest,
): Promise<SampleEvent | undefined> {
  const project = await findProject(app.db, { id: request.projectId })
  if (project === undefined) return undefined
  const sample = await bodyOf(app, project, request)
  return sample?.body === undefined
    ? undefined
    : { projectId: project.id, event: sample.event, body: sample.body }
}

interface Body {
  event: SampleEvent['event']
  body: object | undefined
}

function bodyOf(app: App, project: ProjectRow, request: SampleRequest): Promise<Body | undefined> {
  switch (request.trigger) {
    case 'push_events':
      return pushBody(app, project, request)
    case 'tag_push_events':
      return tagBody(app, project, request)
    case 'repository_update_events':
      return repositoryBody(app, project, request)
    case 'issues_events':
      return issueBody(app, project, false)
    case 'confidential_issues_events':
      return issueBody(app, project, true)
    case 'merge_requests_events':
      return mergeRequestBody(app, project)
    case 'note_events':
      return noteBody(app, project, request, false)
    case 'confidential_note_events':
      return noteBody(app, project, request, true)
    case 'pipeline_events':
      return pipelineBody(app, project)
    case 'wiki_page_events':
      return wikiPageBody(app, project, request)
    case 'job_events':
      return Promise.resolve(undefined)
  }
}

/** The newest commit of the default branch, as if it was pushed by the caller. */
async function pushedHead(
  app: App,
  project: ProjectRow,
  { userId }: SampleRequest,
): Promise<PushedRef | undefined> {
  const { defaultBranch } = project
  const head = await headOf(app, project)
  if (head === undefined) return undefined
  const commit = await readCommit(app.git, repositoryOf(app, project), head)
  const before = commit?.parents[0] ?? null
  const update = { ref: `refs/heads/${defaultBranch}`, before, after: head }
  return pushedRef(app, update, { defaultBranch, head, userId })
}

async function pushedRef(
  app: App,
  update: PushedRef['update'],
  { userId, ...rest }: Pick<PushedRef, 'defaultBranch' | 'head'> & { userId: number | null },
): Promise<PushedRef | undefined> {
  const named = parseRef(update.ref)
  if (named === undefined) return undefined
  const user = userId === null ? undefined : await findUser(app.db, userId)
  return { update, named, user, ...rest, options: [] }
}

async function pushBody(app: App, project: ProjectRow, request: SampleRequest) {
  const pushed = await pushedHead(app, project, request)
  if (pushed === undefined) return undefined
  return { event: 'push' as const, body: await buildPushPayload(app, project, pushed) }
}

async function repositoryBody(app: App, project: ProjectRow, request: SampleRequest) {
  const pushed = await pushedHead(app, project, request)
  if (pushed === undefined) return undefined
  const { update, user } = pushed
  const push = { updates: [update], pushedAt: app.now() }
  return {
    event: 'repository_update' as const,
    body: buildRepositoryUpdate(app.config, project, push, user),
  }
}

async function tagBody(app: App, project: ProjectRow, { userId }: SampleRequest) {
  const tags = await listRefsByDate(app.git, repositoryOf(app, project), 'tags')
  const tag = tags.at(-1)
  if (tag === undefined) return undefined
  const update = { ref: `refs/tags/${tag.name}`, before: null, after: tag.oid }
  const head = (await headOf(app, project)) ?? null
  const { defaultBranch } = project
  const pushed = await pushedRef(app, update, { defaultBranch, head, userId })
  if (pushed === undefined) return undefined
  return { event: 'tag_push' as const, body: await buildPushPayload(app, project, pushed) }
}

/** The first page, as if the caller had created it. */
async function wikiPageBody(app: App, project: ProjectRow, { userId }: SampleRequest) {
  const { head } = await openWiki(app, project)
  const [page] = head === undefined ? [] : await listWikiPages(app, project)
  if (head === undefined || page === undefined) return undefined
  const change = { action: 'create', path: page.path, commit: head, changedBy: head } as const
  const body = await buildWikiPagePayload(app, project, { page: change, userId })
  return { event: 'wiki_page' as const, body }
}

async function issueBody(app: App, project: ProjectRow, confidential: boolean) {
  const found = await findSampleIssue(app.db, { projectId: project.id, confidential })
  const [row] = found === undefined ? [] : await findIssuesById(app.db, [found.id])
  if (row === undefined) return undefined
  const issue = await issueSnapshot(app.db, row)
  const source = { issue, action: 'open', userId: row.authorId, changes: {} } as const
  const event: WebhookEvent = confidential ? 'confidential_issue' : 'issue'
  return { event, body: await buildIssuePayload(app, project, source) }
}

async function mergeRequestBody(app: App, project: ProjectRow) {
  const found = await findSampleMergeRequest(app.db, project.id)
  const row = found && (await findMergeRequestById(app.db, found.id))
  if (row === undefined) return undefined
  const mergeRequest = await mergeRequestSnapshot(app.db, row)
  const source = { mergeRequest, action: 'open', userId: row.authorId, changes: {} } as const
  return {
    event: 'merge_request' as const,
    body: await buildMergeRequestPayload(app, project, source),
  }
}

/** Comments that are looked at for one on a confidential issue, or not on one. */
const maxNotes = 20

async function noteBody(
  app: App,
  project: ProjectRow,
  { signal }: SampleRequest,
  confidential: boolean,
) {
  const event = confidential ? 'confidential_note' : 'note'
  const notes = await listSampleNotes(app.db, { projectId: project.id, limit: maxNotes })
  for (const note of notes) {
    const source = await noteSource(app.db, note)
    const isConfidential = source.issue?.row.confidential === 1
    if (isConfidential !== confidential) continue
    return { event, body: await buildNotePayload(app, project, { event, source }, signal) } as const
  }
  return undefined
}

async function pipelineBody(app: App, project: ProjectRow) {
  const pipeline = await findSamplePipeline(app.db, project.id)
  if (pipeline === undefined) return undefined
  const body = await buildPipelinePayload(app, project, { pipeline, stages: [] })
  return { event: 'pipeline' as const, body }
}
