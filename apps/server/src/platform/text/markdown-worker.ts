import { parentPort } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import type { RenderAnswer, RenderRequest } from './render-messages.ts'
import { openRendering, type Rendering } from './rendering/rendering.ts'

/** Parsed texts whose references are being resolved; an evicted one is parsed again. */
const waiting = new LRUCache<number, Rendering>({ max: 8 })

// A separate thread: a large text does not block the server, and an endless rendering can be
// killed.
parentPort?.on('message', async (request: RenderRequest) => {
  parentPort?.postMessage(await answer(request))
})
parentPort?.postMessage('ready')

async function answer({ id, text, context, resolved }: RenderRequest): Promise<RenderAnswer> {
  const rendering = waiting.get(id) ?? openRendering(text, context)
  waiting.delete(id)
  if (resolved === undefined && rendering.references.size > 0) {
    waiting.set(id, rendering)
    return { references: rendering.references }
  }
  return { html: await rendering.finish(resolved ?? new Map()) }
}
