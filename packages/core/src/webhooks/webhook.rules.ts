import { isRefPattern } from '../pushes/ref-pattern.rules.ts'
import type { WebhookSwitch } from './webhook.schema.ts'

/** What hooks are told of: the event, as the body names it, with the switch that lets it through. */
export const webhookEvents = {
  push: { switch: 'push_events', header: 'Push Hook' },
  tag_push: { switch: 'tag_push_events', header: 'Tag Push Hook' },
  issue: { switch: 'issues_events', header: 'Issue Hook' },
  confidential_issue: {
    switch: 'confidential_issues_events',
    header: 'Confidential Issue Hook',
  },
  note: { switch: 'note_events', header: 'Note Hook' },
  confidential_note: { switch: 'confidential_note_events', header: 'Confidential Note Hook' },
  pipeline: { switch: 'pipeline_events', header: 'Pipeline Hook' },
} as const satisfies Record<string, { switch: WebhookSwitch; header: string }>

export type WebhookEvent = keyof typeof webhookEvents

/** The most hooks that one project may have. */
export const maxProjectHooks = 100

const maxUrlLength = 2048
const maxTokenLength = 2048
const maxFilterLength = 4000

/** Whether a hook may have this address: http or https, a host, and nothing that a header cannot hold. */
export function isHookUrl(url: string): boolean {
  if (url.length > maxUrlLength || !/^https?:\/\/[^\s/?#]/i.test(url) || /\s/.test(url))
    return false
  if (!URL.canParse(url)) return false
  return URL.parse(url)?.hostname !== ''
}

/** Whether this may be the token of a hook: it goes out as a header, so it is one line. */
export function isHookToken(token: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  return token.length <= maxTokenLength && !/[\x00-\x1f\x7f]/.test(token)
}

/** Whether this may be a filter of branches: the name of one, in which `*` stands for anything. */
export function isBranchFilter(filter: string): boolean {
  return filter.length <= maxFilterLength && isRefPattern(filter)
}
