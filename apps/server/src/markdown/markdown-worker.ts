import { parentPort } from 'node:worker_threads'
import type { RenderAnswer, RenderRequest } from './render-messages.ts'
import { openRendering, type Rendering } from './rendering/rendering.ts'

/** Texts that were read and wait for what they refer to; one that was forgotten is read again. */
const waiting = new Map<number, Rendering>()
const maxWaiting = 8

// A thread of its own: a large text does not hold up the server, and one that takes for ever can be ended.
parentPort?.on('message', async (request: RenderRequest) => {
  parentPort?.postMessage(await answer(request))
})
parentPort?.postMessage('ready')

async function answer({ id, text, context, resolved }: RenderRequest): Promise<RenderAnswer> {
  const rendering = waiting.get(id) ?? openRendering(text, context)
  waiting.delete(id)
  if (resolved === undefined && rendering.references.size > 0) {
    keep(id, rendering)
    return { references: rendering.references }
  }
  return { html: await rendering.finish(resolved ?? new Map()) }
}

function keep(id: number, rendering: Rendering): void {
  waiting.set(id, rendering)
  for (const oldest of waiting.keys()) {
    if (waiting.size <= maxWaiting) return
    waiting.delete(oldest)
  }
}
