import { Html } from '@stithy/web'
import type { App } from '../../platform/app.ts'
import { readMarkdown } from '../../platform/text/markdown.ts'

/** Renders Markdown of the application settings for a page; undefined for none. */
export async function pageText({ config }: App, text: string | null): Promise<Html | undefined> {
  if (text === null) return undefined
  const read = await readMarkdown(text, { gfm: true, webUrl: config.externalUrl })
  return new Html(`<section class="text">${await read.finish(new Map())}</section>`)
}
