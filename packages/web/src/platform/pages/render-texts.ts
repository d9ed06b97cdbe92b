import { maxRenderedTexts } from '@stithy/core'
import { loadAll } from './load-all.ts'
import { type LongText, renderLongTexts } from './long-texts.ts'
import type { PageCall } from './page-call.ts'

/**
 * Renders texts as the API does, for this reader; empty texts stay empty. Very long ones are cut, and say so.
 * One call, and another one for what is more than a call takes.
 * @param project full path of the project whose `#1` they mean
 */
export function renderTexts(
  { client }: Pick<PageCall, 'client'>,
  texts: readonly (string | null | undefined | LongText)[],
  project?: string,
): Promise<string[]> {
  const all = texts.map((each) =>
    typeof each === 'object' && each !== null ? each : { text: each },
  )
  return renderLongTexts(all, async (shown) => {
    const filled = shown.filter((text) => text !== '')
    const rendered = await loadAll(
      batchesOf(filled).map((batch) =>
        client.markdown.renderBatch({ texts: batch, gfm: true, ...(project && { project }) }),
      ),
    )
    const results = rendered.flat().values()
    return shown.map((text) => (text === '' ? '' : (results.next().value?.html ?? '')))
  })
}

/** Splits texts into batches that one call takes. */
function batchesOf(texts: readonly string[]): string[][] {
  const batches: string[][] = []
  for (let at = 0; at < texts.length; at += maxRenderedTexts) {
    batches.push(texts.slice(at, at + maxRenderedTexts))
  }
  return batches
}
