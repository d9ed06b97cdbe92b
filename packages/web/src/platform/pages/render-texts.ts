import type { PageCall } from './page-call.ts'

/**
 * Renders texts as the API does, for this reader; empty texts stay empty.
 * @param project full path of the project whose `#1` they mean
 */
export function renderTexts(
  { client }: Pick<PageCall, 'client'>,
  texts: readonly (string | null | undefined)[],
  project?: string,
): Promise<string[]> {
  return Promise.all(
    texts.map(async (text) => {
      if (!text) return ''
      const where = project === undefined ? {} : { project }
      const { html } = await client.markdown.render({ text, gfm: true, ...where })
      return html
    }),
  )
}
