import { parentPort } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { markLines } from './rendering/line-marks.ts'
import { openRendering, type Rendering } from './rendering/rendering.ts'
import type {
  HighlightRequest,
  RenderAnswer,
  RenderRequest,
  ScanAnswer,
  ScanRequest,
} from './text-messages.ts'
import { textScans } from './text-scans.ts'

/** Parsed texts whose references are being resolved; an evicted one is parsed again. */
const waiting = new LRUCache<number, Rendering>({ max: 8 })

// A separate thread: a large text does not block the server, and an endless rendering can be
// killed.
parentPort?.on('message', async (request: RenderRequest | ScanRequest | HighlightRequest) => {
  parentPort?.postMessage(await answer(request))
})
parentPort?.postMessage('ready')

function answer(request: RenderRequest | ScanRequest | HighlightRequest) {
  if ('scan' in request) return scan(request)
  return 'code' in request ? markLines(request.code, request.names) : render(request)
}

function scan({ scan: name, args }: ScanRequest): ScanAnswer {
  const run = textScans[name] as (...args: readonly unknown[]) => unknown
  return { scanned: run(...args) }
}

async function render({ id, text, context, resolved }: RenderRequest): Promise<RenderAnswer> {
  const rendering = waiting.get(id) ?? openRendering(text, context)
  waiting.delete(id)
  if (resolved === undefined && rendering.references.size > 0) {
    waiting.set(id, rendering)
    return { references: rendering.references }
  }
  return { html: await rendering.finish(resolved ?? new Map()) }
}
