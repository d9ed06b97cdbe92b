import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, optional } from '../../platform/contract/fields.ts'
import { maxStreamSeconds } from './event-stream.rules.ts'

const stream = {
  method: 'GET',
  query: z.object(optional({ timeout_seconds: integer({ min: 0, max: maxStreamSeconds }) })),
  kind: 'raw',
  contentTypes: ['text/event-stream'],
  response: { 200: null },
  errors: ['not_found', 'too_many_requests'],
} as const

function docsOf(a: string) {
  return {
    summary: `Stream changes of ${a}`,
    description:
      'An extension: server-sent events, as `EventSource` of browsers reads them. The first event, ' +
      '`version`, comes at once, and `change` whenever something about it has changed, such as its ' +
      'fields or comments. `data` is JSON with `updated_at` and `version`, which differs after a ' +
      'change, and nothing of its contents. The stream ends when the caller may no longer read it, ' +
      `and after \`timeout_seconds\`, by default ${maxStreamSeconds}. Too many streams at a time return 429.`,
  } as const
}

/** Streams of events that tell whoever shows an item when to load it again. */
export const eventStreamsContract = {
  ofIssue: endpoint({
    ...stream,
    name: 'issues.eventStream',
    path: '/projects/:id/issues/:issue_iid/event_stream',
    params: z.object({ issue_iid: integer() }),
    auth: { on: 'issue', ability: 'read_issue' },
    docs: docsOf('an issue'),
  }),
  ofMergeRequest: endpoint({
    ...stream,
    name: 'mergeRequests.eventStream',
    path: '/projects/:id/merge_requests/:merge_request_iid/event_stream',
    params: z.object({ merge_request_iid: integer() }),
    auth: { on: 'merge_request', ability: 'show_merge_request' },
    docs: docsOf('a merge request'),
  }),
  ofEpic: endpoint({
    ...stream,
    name: 'epics.eventStream',
    path: '/groups/:id/epics/:epic_iid/event_stream',
    params: z.object({ epic_iid: integer() }),
    auth: { on: 'epic', ability: 'read_epic' },
    tier: 'premium',
    docs: docsOf('an epic'),
  }),
}
