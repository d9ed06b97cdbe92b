import { z } from 'zod'
import { timestamp } from '../../platform/contract/fields.ts'

/** The settings that enable events of a hook. */
export const webhookTriggers = [
  'push_events',
  'tag_push_events',
  'issues_events',
  'confidential_issues_events',
  'merge_requests_events',
  'note_events',
  'confidential_note_events',
  'job_events',
  'pipeline_events',
  'wiki_page_events',
] as const
export type WebhookTrigger = (typeof webhookTriggers)[number]

/** The settings that enable events of a system hook, which receives all others always. */
export const systemHookTriggers = [
  'push_events',
  'tag_push_events',
  'merge_requests_events',
  'repository_update_events',
] as const
export type SystemHookTrigger = (typeof systemHookTriggers)[number]

function switchesOf<const T extends readonly string[]>(triggers: T) {
  return Object.fromEntries(triggers.map((name) => [name, z.boolean()])) as Record<
    T[number],
    z.ZodBoolean
  >
}

const identity = { id: z.int(), url: z.string(), created_at: timestamp }

const settings = {
  ...switchesOf(webhookTriggers),
  push_events_branch_filter: z.string().nullable(),
  enable_ssl_verification: z.boolean(),
}

/** A hook of a project; its token is never exposed. */
export const ProjectHook = z.object({ ...identity, project_id: z.int(), ...settings })
export type ProjectHook = z.output<typeof ProjectHook>

/** A hook of a group, which receives the events of all projects in it and in its subgroups. */
export const GroupHook = z.object({ ...identity, group_id: z.int(), ...settings })
export type GroupHook = z.output<typeof GroupHook>

/** A hook of the instance. */
export const SystemHook = z.object({
  ...identity,
  ...switchesOf(systemHookTriggers),
  enable_ssl_verification: z.boolean(),
})
export type SystemHook = z.output<typeof SystemHook>

const headers = z.record(z.string(), z.string())

/** One delivery of an event to a hook; of one that was repeated, the last attempt. */
export const HookEvent = z.object({
  id: z.int(),
  /** The setting that enables the event, or the name of a system event. */
  trigger: z.string(),
  /** Without the password. */
  url: z.string(),
  /** Without the values of secrets. */
  request_headers: headers,
  /** The body; null for one of more than 32 KiB. */
  request_data: z.record(z.string(), z.unknown()).nullable(),
  /** Null if there was no response, which `error` then gives the reason of. */
  response_status: z.int().nullable(),
  response_headers: headers,
  /** Cut after 8 KiB. */
  response_body: z.string().nullable(),
  error: z.string().nullable(),
  /** Seconds. */
  execution_duration: z.number(),
  created_at: timestamp,
})
export type HookEvent = z.output<typeof HookEvent>

/** The body of the system hook event `project_create`. */
export const ProjectCreateEvent = z.object({
  event_name: z.literal('project_create'),
  created_at: timestamp,
  updated_at: timestamp,
  name: z.string(),
  path: z.string(),
  path_with_namespace: z.string(),
  project_id: z.int(),
  owner_name: z.string(),
  owner_email: z.string(),
  project_visibility: z.string(),
})
export type ProjectCreateEvent = z.output<typeof ProjectCreateEvent>
