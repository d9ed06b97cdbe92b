import { randomUUID } from 'node:crypto'
import { levelName } from '@stithy/core'
import {
  enqueueJob,
  hasSystemWebhooks,
  type SystemHookGroup,
  type SystemHookProject,
  type SystemHookUser,
  type Transaction,
} from '@stithy/store'
import { timestampText } from '../../../platform/http/timestamp.ts'

/** The body of an event of the instance. */
export interface SystemEvent {
  event_name: string
  created_at: string
  updated_at: string
  [field: string]: unknown
}

/** Changes of the instance as the payload of their job, as they were at that time. */
export interface SystemEventsPayload {
  /** Unique, so that each event is delivered once. */
  key: string
  /** Milliseconds since the epoch. */
  at: number
  events: readonly SystemEvent[]
}

export const systemEventsKind = 'webhooks.system'

/** Events of one job: their bodies are some hundred bytes. */
const maxEvents = 500

/**
 * Triggers the system hooks in the transaction of a change. Costs one query when there are none;
 * `build` is called only when there are some.
 */
export async function enqueueSystemEvents(
  tx: Transaction,
  now: number,
  build: () => Promise<readonly SystemEvent[]>,
): Promise<void> {
  if (!(await hasSystemWebhooks(tx))) return
  const events = await build()
  for (let at = 0; at < events.length; at += maxEvents) {
    const payload: SystemEventsPayload = {
      key: randomUUID(),
      at: now,
      events: events.slice(at, at + maxEvents),
    }
    await enqueueJob(tx, { queue: 'default', kind: systemEventsKind, payload }, now)
  }
}

function datesOf({ createdAt, updatedAt }: { createdAt: number; updatedAt: number }) {
  return { created_at: timestampText(createdAt), updated_at: timestampText(updatedAt) }
}

function datesAt(at: number) {
  return datesOf({ createdAt: at, updatedAt: at })
}

export function projectEvent(
  event_name: string,
  project: SystemHookProject,
  more: { old_path_with_namespace?: string } = {},
): SystemEvent {
  return {
    event_name,
    ...datesOf(project),
    name: project.name,
    path: project.path,
    path_with_namespace: project.fullPath,
    project_id: project.id,
    owner_name: project.ownerName,
    owner_email: project.ownerEmail,
    project_visibility: project.visibility,
    ...more,
  }
}

/** Groups have several owners, so none is named. */
export function groupEvent(
  event_name: string,
  group: SystemHookGroup,
  more: { old_path?: string; old_full_path?: string } = {},
): SystemEvent {
  return {
    event_name,
    ...datesOf(group),
    name: group.name,
    path: group.path,
    full_path: group.fullPath,
    group_id: group.id,
    owner_name: null,
    owner_email: null,
    ...more,
  }
}

export function userEvent(
  event_name: string,
  user: SystemHookUser,
  more: { old_username?: string; state?: string } = {},
): SystemEvent {
  const { id: user_id, name, email, username } = user
  return { event_name, ...datesOf(user), name, email, username, user_id, ...more }
}

/** A membership of a project that began or ended. */
export function teamEvent(
  event_name: string,
  project: SystemHookProject,
  user: SystemHookUser,
  { accessLevel, at }: { accessLevel: number; at: number },
): SystemEvent {
  return {
    event_name,
    ...datesAt(at),
    access_level: levelName(accessLevel),
    project_id: project.id,
    project_name: project.name,
    project_path: project.path,
    project_path_with_namespace: project.fullPath,
    project_visibility: project.visibility,
    ...memberFields(user),
  }
}

/** A membership of a group that began or ended. */
export function groupMemberEvent(
  event_name: string,
  group: SystemHookGroup,
  user: SystemHookUser,
  { accessLevel, at }: { accessLevel: number; at: number },
): SystemEvent {
  return {
    event_name,
    ...datesAt(at),
    group_access: levelName(accessLevel),
    group_id: group.id,
    group_name: group.name,
    group_path: group.path,
    ...memberFields(user),
  }
}

function memberFields({ id, name, username, email }: SystemHookUser) {
  return { user_id: id, user_name: name, user_username: username, user_email: email }
}

/** A key of a user that was added or deleted. */
export function keyEvent(
  event_name: string,
  { id, key, username, at }: { id: number; key: string; username: string; at: number },
): SystemEvent {
  return { event_name, ...datesAt(at), id, key, username }
}

/** An event with made-up data, which shows what `project_create` looks like. */
export function sampleProjectEvent(at: number) {
  return {
    event_name: 'project_create' as const,
    ...datesAt(at),
    name: 'Ruby',
    path: 'ruby',
    path_with_namespace: 'someone/ruby',
    project_id: 1,
    owner_name: 'Someone',
    owner_email: 'someone@example.com',
    project_visibility: 'private',
  }
}
