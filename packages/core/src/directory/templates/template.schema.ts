import { z } from 'zod'

/** The kinds of templates, by their names in paths. */
export const templateTypes = ['dockerfiles', 'gitignores', 'service_ci_ymls', 'licenses'] as const
export type TemplateType = (typeof templateTypes)[number]

/** A template in a list. */
export const TemplateName = z.object({ key: z.string(), name: z.string() })
export type TemplateName = z.output<typeof TemplateName>

/** A Dockerfile, a list of ignored files or a CI configuration to start from. */
export const Template = z.object({ name: z.string(), content: z.string() })
export type Template = z.output<typeof Template>

/** An open-source license, with its text. */
export const License = z.object({
  key: z.string(),
  name: z.string(),
  nickname: z.string().nullable(),
  popular: z.boolean(),
  /** The older name of `popular`. */
  featured: z.boolean(),
  html_url: z.string(),
  source_url: z.string().nullable(),
  description: z.string(),
  conditions: z.array(z.string()),
  permissions: z.array(z.string()),
  limitations: z.array(z.string()),
  content: z.string(),
})
export type License = z.output<typeof License>
