import { z } from 'zod'
import { wikiFormats } from './wiki.rules.ts'

const identity = {
  format: z.enum(wikiFormats),
  /** What addresses the page: its path without extension. */
  slug: z.string(),
  /** The name without folders, with blanks for hyphens. */
  title: z.string(),
}

/** A page of a wiki, with its source. */
export const WikiPage = z.object({ content: z.string(), ...identity })
export type WikiPage = z.output<typeof WikiPage>

/** A page in a list, with its source if it was asked for. */
export const ListedWikiPage = z.object({ content: z.string().optional(), ...identity })
export type ListedWikiPage = z.output<typeof ListedWikiPage>

/** A file that was committed to a wiki. */
export const WikiAttachment = z.object({
  file_name: z.string(),
  file_path: z.string(),
  branch: z.string(),
  link: z.object({
    /** Relative to the wiki. */
    url: z.string(),
    markdown: z.string(),
  }),
})
export type WikiAttachment = z.output<typeof WikiAttachment>
