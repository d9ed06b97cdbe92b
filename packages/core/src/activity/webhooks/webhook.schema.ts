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

const switches = Object.fromEntries(webhookTriggers.map((name) => [name, z.boolean()])) as Record<
  WebhookTrigger,
  z.ZodBoolean
>

/** A hook of a project; its token is never exposed. */
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
