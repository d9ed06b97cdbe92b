import { z } from 'zod'

/** A file for the texts of a project, with the Markdown that shows it or links to it. */
export const ProjectUpload = z.object({
  alt: z.string(),
  /** Relative to the page of the project. */
  url: z.string(),
  markdown: z.string(),
})
export type ProjectUpload = z.output<typeof ProjectUpload>
