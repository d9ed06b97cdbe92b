import { type eventStreamsContract, maxStreamSeconds } from '@stithy/core'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../platform/app.ts'
import type { Call, Handlers, RawResponse } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { eventStreamsOf } from './event-streams.ts'
import type { WatchedItem } from './watched-item.ts'

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Proxies such as nginx hold events back otherwise.
  'x-accel-buffering': 'no',
} as const

type StreamCall = Pick<Call, 'app' | 'caller' | 'method' | 'isStillAllowed'> & {
  query: { timeout_seconds?: number | undefined }
}

async function stream(call: StreamCall, item: WatchedItem): Promise<RawResponse> {
  if (call.method === 'HEAD') return { headers, body: null }
  const reader = {
    userId: requireCaller(call.caller).id,
    isAllowed: call.isStillAllowed,
    seconds: call.query.timeout_seconds ?? maxStreamSeconds,
  }
  return { headers, body: await eventStreamsOf(call.app).open(item, reader) }
}

export const eventStreamHandlers: Handlers<typeof eventStreamsContract> = {
  async ofIssue(call) {
    return stream(call, { type: 'issue', id: call.subject.row.id })
  },

  async ofMergeRequest(call) {
    return stream(call, { type: 'merge_request', id: call.subject.row.id })
  },

  async ofEpic(call) {
    return stream(call, { type: 'epic', id: call.subject.row.id })
  },
}

/** Ends all streams before a server that stops waits for its connections. */
export function endStreamsAtClose(server: FastifyInstance, app: App): void {
  server.addHook('preClose', async () => eventStreamsOf(app).close())
}
