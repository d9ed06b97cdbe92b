import { z } from 'zod'
import { timestamp } from '../contract/fields.ts'

/** What a hook listens to, by the name of its switch (catalogue: projects, Project hooks). */
export const webhookSwitches = [
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
export type WebhookSwitch = (typeof webhookSwitches)[number]

const switches = Object.fromEntries(webhookSwitches.map((name) => [name, z.boolean()])) as Record<
  WebhookSwitch,
  z.ZodBoolean
>

/** A hook of a project; its token is never shown. */
export const ProjectHook = z.object({
  id: z.int(),
  url: z.string(),
  created_at: timestamp,
  project_id: z.int(),
  ...switches,
  push_events_branch_filter: z.string().nullable(),
  enable_ssl_verification: z.boolean(),
})
export type ProjectHook = z.output<typeof ProjectHook>
