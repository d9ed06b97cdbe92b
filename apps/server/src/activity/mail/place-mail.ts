import { levelName, wantsNotification } from '@stithy/core'
import {
  findAccessRequest,
  findMailRecipient,
  findUserRefs,
  listChosenLevels,
  type MailRecipient,
  type MemberSource,
} from '@stithy/store'
import { html } from '@stithy/web'
import { mayReadPipelines } from '../../ci/pipelines/pipeline.service.ts'
import { type GroupSubject, loadGroup } from '../../directory/groups/group-subject.ts'
import { loadProject, type ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { decideOn } from '../../platform/http/authorize.ts'
import type { DecidedCaller } from '../../platform/http/subjects.ts'
import { webUrl } from '../../platform/http/urls.ts'
import type { MailWriter, QueuedMail } from '../../platform/mail/mail.ts'
import { messageIdOf, type Paragraph, paragraphs } from '../../platform/mail/mail-layout.ts'
import type { MailContent } from '../../platform/mail/mail-message.ts'
import { levelOf } from '../notifications/chosen-level.ts'
import type {
  AccessRequestPayload,
  MemberPayload,
  MovedPayload,
  PipelinePayload,
} from '../notifications/place-notification.ts'
import { listId, vendorHeaders } from './item-headers.ts'

/** A project or group as the recipient sees it. */
type Place =
  | { type: 'project'; subject: ProjectSubject; name: string; path: string; level: number }
  | { type: 'group'; subject: GroupSubject; name: string; path: string; level: number }

interface Reader {
  recipient: MailRecipient
  caller: DecidedCaller
}

async function findReader(app: App, userId: number): Promise<Reader | undefined> {
  const recipient = await findMailRecipient(app.db, userId)
  if (recipient === undefined) return undefined
  const { admin, external } = recipient
  return { recipient, caller: { facts: { userId, admin, external } } }
}

/** Loads a project or group; undefined unless it exists and the caller may read it. */
async function findPlace(
  app: App,
  { sourceKind, sourceId }: MemberSource,
  caller: DecidedCaller,
): Promise<Place | undefined> {
  if (sourceKind === 'group') {
    const subject = await loadGroup(app, String(sourceId), caller)
    if (subject === undefined) return undefined
    if (!decideOn(app, 'group', 'read_group', subject, caller).allowed) return undefined
    const { name, fullPath } = subject.row
    return { type: 'group', subject, name, path: `groups/${fullPath}`, level: subject.facts.level }
  }
  const subject = await loadProject(app, String(sourceId), caller)
  if (subject === undefined) return undefined
  if (!decideOn(app, 'project', 'read_project', subject, caller).allowed) return undefined
  const { name, fullPath } = subject.row
  return { type: 'project', subject, name, path: fullPath, level: subject.facts.level }
}

async function nameOf(app: App, userId: number | null): Promise<string | undefined> {
  if (userId === null) return undefined
  const [user] = await findUserRefs(app.db, [userId])
  return user?.name
}

function placeContent(
  app: App,
  mail: QueuedMail,
  { recipient, place }: { recipient: MailRecipient; place: Place },
  written: {
    subject: string
    paragraphs: readonly Paragraph[]
    fromName?: string | undefined
    headers?: Record<string, string>
  },
): MailContent {
  const { subject, fromName, headers = {} } = written
  const why = `You receive this mail because of your account on ${app.config.externalUrl}.`
  const { id, fullPath } = place.subject.row
  const names: Record<string, string> =
    place.type === 'group'
      ? { 'Group-Id': String(id), 'Group-Path': fullPath }
      : { Project: place.name, 'Project-Id': String(id), 'Project-Path': fullPath }
  return {
    to: { name: recipient.name, address: recipient.address },
    fromName,
    subject: `${place.name} | ${subject}`,
    body: paragraphs(written.paragraphs),
    footer: [{ text: why, html: html`${why}` }],
    messageId: messageIdOf(app.config, mail.key),
    headers: {
      ...vendorHeaders({ ...names, ...headers }),
      'List-Id': listId(app.config, place.subject.row),
    },
  }
}

/** Tells who decides about a request for access, while it is pending. */
export const writeAccessRequest: MailWriter = async (app, mail) => {
  const { source, actorId } = mail.payload as AccessRequestPayload
  const reader = await findReader(app, mail.userId)
  const place = reader && (await findPlace(app, source, reader.caller))
  if (reader === undefined || place === undefined) return undefined
  const { allowed } =
    place.type === 'project'
      ? decideOn(app, 'project', 'admin_access_requests', place.subject, reader.caller)
      : decideOn(app, 'group', 'admin_group_access_requests', place.subject, reader.caller)
  const request = await findAccessRequest(app.db, { ...source, userId: actorId })
  if (!allowed || request === undefined) return undefined
  const fromName = (await nameOf(app, actorId)) ?? 'Somebody'
  return placeContent(
    app,
    mail,
    { recipient: reader.recipient, place },
    {
      subject: `Request to join the ${place.type}`,
      fromName,
      paragraphs: [
        `${fromName} asks for access to the ${place.type} ${place.name}.`,
        { link: webUrl(app.config, place.path), label: `View the ${place.type}` },
      ],
    },
  )
}

/** Tells a new member, while they are one. */
export const writeMembership: MailWriter = async (app, mail) => {
  const { source, actorId } = mail.payload as MemberPayload
  const reader = await findReader(app, mail.userId)
  const place = reader && (await findPlace(app, source, reader.caller))
  if (reader === undefined || place === undefined || place.level === 0) return undefined
  const fromName = await nameOf(app, actorId)
  const by = fromName === undefined ? 'You were added' : `${fromName} added you`
  return placeContent(
    app,
    mail,
    { recipient: reader.recipient, place },
    {
      subject: `Access to the ${place.type} was granted`,
      fromName,
      paragraphs: [
        `${by} to the ${place.type} ${place.name} as ${levelName(place.level)}.`,
        { link: webUrl(app.config, place.path), label: `View the ${place.type}` },
      ],
    },
  )
}

/** Tells who started a pipeline, by their level for the project at this moment. */
export const writePipeline: MailWriter = async (app, mail) => {
  const { projectId, pipelineId, ref, sha, status } = mail.payload as PipelinePayload
  const reader = await findReader(app, mail.userId)
  const source = { sourceKind: 'project', sourceId: projectId } as const
  const place = reader && (await findPlace(app, source, reader.caller))
  if (reader === undefined || place?.type !== 'project') return undefined
  const { recipient, caller } = reader
  if (!mayReadPipelines(caller, place.subject)) return undefined
  const { namespaceId } = place.subject.row
  const scope = { projectId, namespaceId, userIds: [mail.userId] }
  const level = levelOf(await listChosenLevels(app.db, scope))(mail.userId)
  const types = new Set(['participating'] as const)
  const event = status === 'failed' ? 'failed_pipeline' : 'success_pipeline'
  if (!wantsNotification(level, event, { types, unsubscribed: false })) return undefined
  const outcome = status === 'failed' ? 'failed' : 'succeeded'
  const commit = sha.slice(0, 8)
  return placeContent(
    app,
    mail,
    { recipient, place },
    {
      subject: `Pipeline #${pipelineId} ${outcome} for ${ref} (${commit})`,
      headers: {
        'Pipeline-Id': String(pipelineId),
        'Pipeline-Ref': ref,
        'Pipeline-Status': status,
      },
      paragraphs: [
        `Pipeline #${pipelineId} of ${place.name} ${outcome} for ${ref}, commit ${commit}.`,
        {
          link: webUrl(app.config, `${place.path}/pipelines/${pipelineId}`),
          label: 'View the pipeline',
        },
      ],
    },
  )
}

/** Tells a member that the project has another address. */
export const writeTransfer: MailWriter = async (app, mail) => {
  const { projectId, actorId } = mail.payload as MovedPayload
  const reader = await findReader(app, mail.userId)
  const source = { sourceKind: 'project', sourceId: projectId } as const
  const place = reader && (await findPlace(app, source, reader.caller))
  if (reader === undefined || place === undefined) return undefined
  const url = webUrl(app.config, place.path)
  return placeContent(
    app,
    mail,
    { recipient: reader.recipient, place },
    {
      subject: 'Project was moved',
      fromName: await nameOf(app, actorId),
      paragraphs: [
        `The project ${place.name} was moved to ${place.path}.`,
        { link: url, label: 'View the project' },
        `To fetch from there: git remote set-url origin ${url}.git`,
      ],
    },
  )
}
