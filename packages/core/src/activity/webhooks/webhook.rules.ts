import type { TextOptions } from '../../platform/contract/fields.ts'
import { maxUrlLength, singleLine } from '../../platform/contract/text-options.ts'
import type { WebhookTrigger } from './webhook.schema.ts'

/** Events of webhooks: the name in the payload, with the setting that enables it. */
export const webhookEvents = {
  push: { switch: 'push_events', header: 'Push Hook' },
  tag_push: { switch: 'tag_push_events', header: 'Tag Push Hook' },
  issue: { switch: 'issues_events', header: 'Issue Hook' },
  confidential_issue: {
    switch: 'confidential_issues_events',
    header: 'Confidential Issue Hook',
  },
  merge_request: { switch: 'merge_requests_events', header: 'Merge Request Hook' },
  note: { switch: 'note_events', header: 'Note Hook' },
  confidential_note: { switch: 'confidential_note_events', header: 'Confidential Note Hook' },
  pipeline: { switch: 'pipeline_events', header: 'Pipeline Hook' },
  wiki_page: { switch: 'wiki_page_events', header: 'Wiki Page Hook' },
} as const satisfies Record<string, { switch: WebhookTrigger; header: string }>

export type WebhookEvent = keyof typeof webhookEvents

/** Maximum number of hooks of a project, of a group and of the instance. */
export const maxHooks = 100

/** Maximum length of the tokens of hooks, in characters. */
const maxHookTokenLength = 2048

/** The token of a hook: it is sent as a header, so it must be a single line. */
export const hookTokenText: TextOptions = {
  rules: { maxLength: maxHookTokenLength, pattern: singleLine.source },
}

/** Whether a hook may have this URL: http or https, with a host, and no white space. */
export function isHookUrl(url: string): boolean {
  if (url.length > maxUrlLength || !/^https?:\/\/[^\s/?#]/i.test(url) || /\s/.test(url))
    return false
  if (!URL.canParse(url)) return false
  return URL.parse(url)?.hostname !== ''
}

/** Whether a hook may have this token. */
export function isHookToken(token: string): boolean {
  return token.length <= maxHookTokenLength && singleLine.test(token)
}
