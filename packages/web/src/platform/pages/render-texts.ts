import { maxRenderedTexts } from '@stithy/core'
import type { PageCall } from './page-call.ts'

/**
 * Renders texts as the API does, for this reader; empty texts stay empty. One call, and another
 * one for what is more than a call takes.
 * @param project full path of the project whose `#1` they mean
 */
export async function renderTexts(
  { client }: Pick<PageCall, 'client'>,
  texts: readonly (string | null | undefined)[],
  project?: string,
): Promise<string[]> {
  const filled = texts.flatMap((text) => text || [])
  const rendered = await Promise.all(
    batchesOf(filled).map((batch) =>
      client.markdown.renderBatch({ texts: batch, gfm: true, ...(project && { project }) }),
    ),
  )
  const results = rendered.flat().values()
  return texts.map((text) => (text ? (results.next().value?.html ?? '') : ''))
}

/** Characters of a batch with several texts: as JSON it has to fit into a body of 1 MiB. */
const maxBatchLength = 250_000

/** Splits texts into batches that one call takes. */
function batchesOf(texts: readonly string[]): string[][] {
  const batches: string[][] = []
  let length = 0
  for (const text of texts) {
    const batch = batches.at(-1)
    length += text.length
    if (batch === undefined || batch.length === maxRenderedTexts || length > maxBatchLength) {
      batches.push([text])
      length = text.length
    } else batch.push(text)
  }
  return batches
}
